/* The interface between the plain core and the filters.
 *
 * A filter rules out what cannot win, counts faster, or keeps what will be asked again. No answer depends on one. The folder
 * filters/ holds them all and fills in the table (filters/table.c); where the folder is missing, no_filters.c leaves it empty.
 * A function that returns bool says whether it has done the work, which is otherwise left to the plain core.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_FILTERS_H
#define RRF_FILTERS_H

#include <stdbool.h>

#include "rrf.h"

struct arena;
struct bar;
struct beside_cut;
struct builder;
struct column;
struct feature_set;
struct node_search;
struct node_view;
struct regression_builder;
struct regression_node;
struct row_order;
struct search_input;
struct splitter;
struct tree;

typedef struct filter_table {
    /* ---- random/: the next block of the Mersenne-Twister, its tempered words, and sets from whole blocks of words. */
    bool (*twist)(uint32_t *state);
    bool (*temper)(const uint32_t *state, uint32_t *word);
    bool (*draw_sets)(rrf_rng *rng, int n_sets, int n_items, uint32_t *sets);
    /* Counts draws of a shuffle of `remaining` features, at most `draws`, before the first that touches a tagged one
     * (candidates.c): a draw touches the feature that it takes and the last one, which moves. */
    int (*pass_untagged)(const uint8_t *tag, int remaining, const uint32_t *word, int draws);

    /* ---- data/: ranked columns. */
    rrf_status (*columns_init)(rrf_ranks *ranks);
    /* Ranks a column of at most SHORT_COLUMN values. */
    bool (*rank_short)(rrf_ranks *ranks, int feature, const double *x, rrf_status *status);
    /* Called after a column has been ranked, or copied; after all columns. value: scratch of n. */
    rrf_status (*column_ranked)(rrf_ranks *ranks, const rrf_data *data, int feature, double *value);
    rrf_status (*column_copied)(const rrf_ranks *from, int feature, rrf_ranks *to, int at);
    rrf_status (*columns_ranked)(rrf_ranks *ranks);
    void (*columns_free)(rrf_ranks *ranks);

    /* ---- tree/: the search for splits by criterion. */
    /* Returns whether equal values share ranks in engine r. */
    bool (*merge_ties)(const double *classwt, int nclass, const rrf_params *params);
    rrf_status (*input_init)(struct search_input *in, struct arena *memory);
    void (*read_ranks)(struct search_input *in);
    rrf_status (*begin_bag)(struct search_input *in);
    rrf_status (*splitter_init)(struct splitter *s);
    /* Begins a tree; the candidates of every node include these members of F. NULL: not F. */
    rrf_status (*begin_tree)(struct splitter *s, const int32_t *members, int n_members);
    void (*begin_node)(struct splitter *s, const struct node_view *node);
    /* Begins the search of a node whose candidates include F; called when a feature enters F. */
    void (*begin_members)(struct splitter *s, const struct node_view *node);
    void (*member_enters)(struct splitter *s, int feature);
    void (*ranks_changed)(struct splitter *s);
    /* Called before a feature is evaluated. node NULL: some node. */
    void (*fetch)(const struct splitter *s, const struct node_view *node, int feature);
    /* Evaluate a member of F; a numeric feature; its rows in their order; a factor by sets of levels. */
    bool (*try_member)(struct splitter *s, const struct node_view *node, int feature);
    bool (*split_numeric)(struct splitter *s, const struct node_view *node, struct column *c);
    bool (*scan)(const struct search_input *in, const struct node_view *node, const struct column *c,
                 const struct row_order *order, double *sums, struct bar *bar);
    bool (*try_sets)(struct splitter *s, const struct node_view *node, const struct column *c, uint32_t present);
    /* Computes the exact best split so far, before a factor and at the end of a node. */
    void (*settle)(struct splitter *s, const struct node_view *node);
    /* Sorts the rows of a node as sort_rows(). */
    bool (*sort_rows)(struct splitter *s, const struct node_view *node, int feature);
    rrf_status (*builder_init)(struct builder *g, struct arena *memory);
    /* Partitions a node's rows by their ranks in the feature of its best split. */
    bool (*part_rows)(struct builder *g, const struct node_view *node, struct beside_cut *beside);
    void (*node_parted)(struct builder *g, const struct node_view *node, int left);
    /* Finds the terminal nodes of training rows as tree_apply(). */
    bool (*apply_rows)(const struct builder *g, const struct tree *t, const int32_t *rows, int n_rows, int32_t *nodes);

    /* ---- engine_r/: regression. */
    rrf_status (*regression_init)(struct regression_builder *g, struct arena *memory);
    void (*regression_begin_tree)(struct regression_builder *g);
    bool (*regression_search)(struct regression_builder *g, const struct regression_node *node);
    /* Marks the rows that go left; called after the cases of a node have been partitioned. */
    bool (*regression_mark)(struct regression_builder *g, const struct regression_node *node);
    void (*regression_parted)(struct regression_builder *g, int node, int left, bool degenerate);

    /* ---- engine_parallel/ */
    /* Called if all features are expected in F; when one has entered; returns the bytes that a worker needs for that. */
    rrf_status (*expect_members)(const rrf_ranks *ranks, int n_jobs, const rrf_monitor *monitor);
    rrf_status (*know_member)(const rrf_ranks *ranks, int feature, int n_members);
    double (*bytes_of_members)(int n_rows, int n_features);
    /* Called when a node is searched in full, and the candidates below it include these members. */
    rrf_status (*list_node)(struct splitter *s, const struct node_view *node, const int32_t *members, int n_members);
    /* Drops features that can neither win nor tie. */
    rrf_status (*shortlist)(struct splitter *s, const struct node_view *node, const struct feature_set *f,
                            int32_t *list, int *n_listed);
    /* Called when a tree is regrown (regrow.h). */
    rrf_status (*regrow_init)(struct node_search *s, struct arena *memory);
    void (*regrow_begin)(struct node_search *s);
    void (*regrow_end)(struct node_search *s);
    bool (*regrow_list)(struct node_search *s, uint64_t key, int hint, int *n_listed);
} filter_table;

extern const filter_table filters;

/* Calls a filter; the result is `otherwise` without one. */
#define ASK(hook, otherwise, ...) (filters.hook ? filters.hook(__VA_ARGS__) : (otherwise))
/* Calls a filter without a result. */
#define TELL(hook, ...) (filters.hook ? filters.hook(__VA_ARGS__) : (void)0)

#endif
