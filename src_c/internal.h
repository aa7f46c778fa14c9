/* What the stages of the C core share. SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_INTERNAL_H
#define RRF_INTERNAL_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernels.h"
#include "rrf.h"

#define RRF_MAX_LEVELS 32

/* ---- rng.c -------------------------------------------------------------------------------------------------------- */
#define RRF_TWO_POW_MINUS_32 2.3283064365386963e-10

/* Makes the next block of words. */
void rng_refill(rrf_rng *rng);

static inline uint32_t rng_word(rrf_rng *rng)
{
    if (rng->position >= RRF_MT_WORDS) {
        rng_refill(rng);
    }
    return rng->word[rng->position++];
}

/* unif_rand(): word * 2^-32, kept inside (0, 1). Only word 0 needs the keeping: 1 - (2^32 - 1) * 2^-32 is positive. */
static inline double word_to_uniform(uint32_t word)
{
    return word ? word * RRF_TWO_POW_MINUS_32 : 0.5 * 2.328306437080797e-10;
}

static inline double rng_uniform(rrf_rng *rng)
{
    return word_to_uniform(rng_word(rng));
}

/* (int)(n * u). While n has 21 bits the product of n and a word is exact in a double, so a shift gives the same. */
static inline int word_to_index(uint32_t word, int n)
{
    return n < (1 << 21) ? (int)(((uint64_t)(uint32_t)n * word) >> 32) : (int)(word_to_uniform(word) * n);
}

static inline int rng_below(rrf_rng *rng, int n)
{
    return word_to_index(rng_word(rng), n);
}

/* Passes over `count` draws. */
void rng_skip(rrf_rng *rng, int64_t count);

/* SplitMix64's finalizer: a number whose bits all depend on all bits of `value`. */
static inline uint64_t mix_bits(uint64_t value)
{
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
    return value ^ (value >> 31);
}

#define GOLDEN 0x9e3779b97f4a7c15U

/* Number i of the native stream `key`. */
static inline uint64_t native_word(uint64_t key, uint64_t i)
{
    return mix_bits(key + (i + 1) * GOLDEN);
}

/* ---- sort.c ------------------------------------------------------------------------------------------------------- */
/* R_qsort_I: sorts values ascending and carries index along, in the order that R leaves among equal values. */
void sort_like_r(double *values, int32_t *index, int n);

/* Cells or rows that are worked on between two questions to the monitor: a tenth of a second at the most. */
enum { WORK_PER_POLL = 1 << 22 };

static inline rrf_status monitor_poll(const rrf_monitor *monitor)
{
    return monitor && monitor->poll && monitor->poll(monitor->context) ? RRF_ERR_INTERRUPT : RRF_OK;
}

/* Counts work, and asks the monitor when enough has been done. */
typedef struct watch {
    const rrf_monitor *monitor;
    int64_t work;
} watch;

static inline rrf_status watch_work(watch *w, int64_t amount)
{
    w->work += amount;
    if (w->work < WORK_PER_POLL) {
        return RRF_OK;
    }
    w->work = 0;
    return monitor_poll(w->monitor);
}

/* ---- columns.c: every numeric feature ranked once ------------------------------------------------------------------ */
/* A row's key is its place in the order of a column; among equal values there are three ways. R's order decides sums
 * that are not exact. A factor's key is its level, from 0. */
typedef enum tie_order { TIES_LIKE_R, TIES_MERGED, TIES_BY_ROW } tie_order;

typedef struct columns {
    int n, p;
    tie_order ties;
    bool wide;          /* 32-bit keys; 16-bit ones when n allows */
    void *key;          /* p x n */
    int32_t *n_keys;    /* p: keys in use, 0 .. n_keys - 1 */
    int32_t *n_present; /* p: keys below it stand for values, those from it on for missing ones */
    uint8_t *has_ties;  /* p */
    int32_t **order;    /* p: rows by key, made when a column is first asked for; NULL until then */
} columns;

rrf_status columns_init(columns *cols, const rrf_data *data, tie_order ties, const rrf_monitor *monitor);
/* The same in two steps, so that ranges of features can be ranked side by side. */
rrf_status columns_alloc(columns *cols, const rrf_data *data, tie_order ties);
rrf_status columns_rank_range(columns *cols, const rrf_data *data, int first, int last, const rrf_monitor *monitor);
void columns_free(columns *cols);
/* Ranks data whose values have changed. */
rrf_status columns_rank(columns *cols, const rrf_data *data, const rrf_monitor *monitor);
/* The rows of a column by ascending key; NULL when memory is short. */
const int32_t *columns_order(columns *cols, int feature);

/* The value of a row, whatever the layout. */
static inline double data_value(const rrf_data *data, int feature, int row)
{
    bool plain = data->row_step == 0 && data->feature_step == 0;
    ptrdiff_t at = plain ? (ptrdiff_t)feature * data->n + row
                         : (ptrdiff_t)feature * data->feature_step + (ptrdiff_t)row * data->row_step;
    return data->x32 ? (double)data->x32[at] : data->x[at];
}

static inline bool column_has_missing(const columns *cols, int feature)
{
    return cols->n_present[feature] < cols->n_keys[feature];
}

static inline uint32_t column_key(const columns *cols, int feature, int row)
{
    size_t at = (size_t)feature * cols->n + row;
    return cols->wide ? ((const uint32_t *)cols->key)[at] : ((const uint16_t *)cols->key)[at];
}

/* Asks for a column's keys ahead of use; the processor itself follows a long one. */
static inline void columns_fetch(const columns *cols, int feature)
{
    size_t width = cols->wide ? sizeof(uint32_t) : sizeof(uint16_t), bytes = width * (size_t)cols->n;
    const char *start = (const char *)cols->key + (size_t)feature * bytes;
    for (size_t at = 0; at < bytes && at < 512; at += 64) {
        __builtin_prefetch(start + at);
    }
}

/* ---- bag.c: the in-bag sample of a tree ----------------------------------------------------------------------------- */
typedef struct bag {
    int n, nclass;
    const int32_t *y;
    const double *response;   /* n: a numeric target (all of y is then class 0); NULL for classes */
    int n_totals;             /* sums that describe a node: one a class, or weight and weighted response */
    const double *classwt;    /* normalised class weights */
    const double *row_weight; /* n: what a drawn row counts for; NULL: 1 */
    bool exact;               /* every weight is 1.0, so all sums of classes are whole numbers */
    int32_t *count;           /* n: times a row was drawn */
    double *weight;           /* n: sum of its class weights, added draw by draw */
    double *class_total;      /* n_totals: the same by class; for numbers, over all, and the weighted response */
    int32_t *rows;            /* in-bag rows, ascending */
    int size;                 /* how many there are */
    int32_t *pool;            /* n: scratch for sampling without replacement */
    int32_t *stratum_start;   /* nstrata + 1: rows of stratum s are stratum_rows[stratum_start[s] ..] */
    int32_t *stratum_rows;
} bag;

/* Whether a class weight is meant to be 1.0, which R's miss by an ulp for some class sizes. */
static inline bool is_near_one(double weight)
{
    return weight > 1.0 - 1.0e-14 && weight < 1.0 + 1.0e-14;
}

/* Class weights as the bag takes them, R's normClassWt. */
void normalize_class_weights(const int32_t *y, int n, int nclass, const rrf_params *params, double *classwt);
/* Every class weight is 1.0. */
bool weights_are_exact(const double *classwt, int nclass);
rrf_status bag_init(bag *b, int n, int nclass, const int32_t *y, const double *response, const double *classwt,
                    const rrf_params *params);
void bag_free(bag *b);
void bag_draw(bag *b, const rrf_params *params, rrf_rng *rng);
/* Takes the rows as often as `count` says. */
void bag_take(bag *b, const int32_t *count);

/* ---- candidates.c: the features a node looks at, in the order R draws them --------------------------------------- */
typedef struct candidates {
    int p, mtry;
    bool regularized; /* flagReg */
    const kernels *kernels;
    uint8_t *used; /* p: 1 = in F */
    int n_used;
    /* State of one node: position i of the shuffle holds feature id[i]; tag[i] says whether that is in F. */
    int32_t *id;
    uint8_t *tag;
    int32_t *touched; /* positions that differ from the resting state id[i] = i, tag[i] = used[i] */
    int n_touched;
    int remaining; /* draws left */
    int tried;     /* features counted against mtry */
    int used_left; /* members of F not drawn yet */
} candidates;

rrf_status candidates_init(candidates *c, int p, int mtry, bool regularized, const int32_t *used);
void candidates_free(candidates *c);
void candidates_begin(candidates *c);
/* The feature that the next draw would hit, or -1 if that is not known yet: a hint for fetching its data. */
int candidates_peek(const candidates *c, const rrf_rng *rng);
/* The next feature to evaluate, or -1 when the node's p draws are spent. */
int candidates_next(candidates *c, rrf_rng *rng);
void candidates_end(candidates *c);
void candidates_mark_used(candidates *c, int feature);

/* ---- split search -------------------------------------------------------------------------------------------------- */
typedef struct split {
    double crit;       /* R's critmax: the impurity criterion less the node's offset, after regularization */
    int feature;       /* -1: none found */
    uint32_t cut_key;  /* numeric: the largest key that goes left */
    uint32_t levels;   /* factor: bits of the levels that go left */
    bool missing_left; /* missing values go left (native engine) */
    uint64_t priority; /* decides between equal splits (native engine) */
} split;

/* A node as the split finders see it. */
typedef struct node_view {
    const int32_t *rows;       /* its in-bag rows; contiguous, in R's ncase order */
    int start, size;           /* where they stand among the tree's in-bag rows, and how many they are */
    const double *class_total; /* n_totals */
    double sum;                /* over class_total, added in class order: R's pdo; for numbers, the weight */
    double sum_squares;        /* likewise: R's pno; for numbers, the square of the weighted response */
    double crit;               /* their quotient, R's crit0: the criterion before the split */
    double offset;             /* what coefficients multiply is the criterion less this */
    double least_gain; /* a criterion that exceeds the offset by no more is none; what rounding leaves is no gain */
    uint64_t key;      /* the node's random stream (native engine) */
    int depth;         /* splits above the node (native engine) */
} node_view;

/* streams.c: the rows of a node by ascending key, kept through the splits of a tree for the features that were in F
 * when it began. Those are evaluated at every node, so sorting anew would cost more than carrying the order along. An
 * entry is the row (low half) and, for the two-class kernels, its payload: count << 16 | count, the upper only in class 0. */
typedef struct streams {
    int n_streams;
    bool filled;             /* for the node under search */
    int32_t *slot;           /* p: stream of a feature, or -1 */
    int32_t *feature;        /* n_streams */
    uint64_t *entries;       /* n_streams x stride; a node owns the same range in each */
    uint64_t *spare;         /* rows going right, while a range is parted */
    size_t stride, capacity; /* entries a stream, entries in all */
} streams;

/* What the search wants to know of a feature, in one place so that one fetch brings it. */
typedef struct feature_profile {
    double penalty, inverse; /* coefReg; 1/coefReg, or 0 where there is none to work with */
    int32_t n_levels;        /* 1: numeric */
    int32_t n_keys;
} feature_profile;

typedef struct splitter {
    const rrf_data *data;
    columns *cols;
    const bag *bag;
    int nclass;
    feature_profile *profile; /* p */
    bool regularized;         /* flagReg */
    bool quirks;
    bool packs; /* two classes with weights of 1.0 or next to it: whole-number kernels evaluate, or at least filter */
    const rrf_native_params *native; /* NULL: R's engine */
    uint64_t node_key;               /* of the node under search (native engine) */
    /* What holds for the feature under evaluation. */
    double factor, inverse; /* of its criterion; 1/factor, or 0 where there is none to work with */
    bool missing_left;      /* on which side missing values are tried */
    candidates features;    /* R's walk */
    streams streams;
    rrf_rng *rng;
    watch *watch;
    /* scratch */
    const kernels *kernels;
    uint64_t *mark;                   /* a bit for each key present in the node; all zero between uses */
    uint32_t *slot;                   /* what stands at a key; all zero between uses */
    uint32_t *payload;                /* n: packed counts of a row, kernels.h; zero out of bag */
    uint32_t *row_itself;             /* n: 0, 1, 2, ... */
    uint32_t *present;                /* n: slots of the keys present, in order */
    uint32_t *keys;                   /* n: and these keys */
    int32_t *sorted;                  /* n: rows of the node by key */
    uint64_t *packed, *packed_spare;  /* n */
    uint64_t *wide_slot;              /* n: slots of nodes too large for packed counts; made when needed, all zero */
    double *moments;                  /* 2 x n: weight and weighted response of a row; NULL for classes */
    double *left_total, *right_total; /* nclass */
    double *level_total;              /* nclass x 32 */
    int ntie;                         /* candidates seen that equalled or beat the best, this feature; starts at 1 */
    split best;
} splitter;

/* Whether rows of equal value can share a key: two classes with exact sums, which whole-number kernels can evaluate. */
bool ties_can_merge(const double *classwt, int nclass, const rrf_params *params);
/* The same in the native engine, which also takes nodes that are too large for the kernels. */
bool native_ties_can_merge(const double *classwt, int nclass, const rrf_native_params *native);

/* native NULL: R's engine, which alone reads used. */
rrf_status splitter_init(splitter *s, const rrf_data *data, columns *cols, const bag *bag, const rrf_params *params,
                         const rrf_native_params *native, const int32_t *used, rrf_rng *rng, watch *watch);
void splitter_free(splitter *s);
/* Takes over columns that were ranked again. */
void splitter_read_columns(splitter *s);
/* Takes over the bag that the next tree is grown on. */
rrf_status splitter_begin_tree(splitter *s);
/* Searches the features of a node for the best split, R's findbestsplit; the answer stands in s->best. */
rrf_status splitter_search(splitter *s, const node_view *node);
/* Evaluates a feature at a node; its splits compete with s->best. A penalized one pays its coefficient: a feature
 * outside F or, with flagReg = 0, every feature (the guided forest). */
void splitter_try(splitter *s, const node_view *node, int feature, bool penalized);

/* Offers a split of a numeric feature; ties are broken as RRF does. True when the best criterion has risen. */
bool splitter_offer(splitter *s, double crit, int feature, uint32_t cut_key);
/* The native engine's: cut is a key or a set of levels. Which of equal splits wins depends on a hash and not on the order of
 * the offers. */
bool splitter_offer_native(splitter *s, double crit, int feature, uint32_t cut);
/* A set of levels; in R's engine the first of equal ones stands. */
void splitter_offer_levels(splitter *s, double crit, int feature, uint32_t levels);

/* Entropy's v log2 v. */
double v_log_v(double v);

rrf_status streams_init(streams *st, int p);
void streams_free(streams *st);
/* Starts a tree: a stream for each numeric feature, to be filled. */
rrf_status streams_begin(splitter *s, const int32_t *features, int n_features);
/* Fills them with the tree's rows, or with those of a node, which then is the root of a tree of its own; false: with none. */
void streams_fill(splitter *s);
bool streams_fill_node(splitter *s, const node_view *node);
/* Ends it: there are no streams until the next one begins. */
void streams_end(streams *st);
/* Parts every stream of a node; rows with left[row] set go left. Ranges that will not be split again may be spared. */
void streams_part(splitter *s, const node_view *node, const uint8_t *left, bool keep_left, bool keep_right);

/* A stream's entries from a node's start on; NULL for a feature without a stream. */
static inline uint64_t *stream_range(const streams *st, int feature, int start)
{
    int slot = st->filled ? st->slot[feature] : -1;
    return slot < 0 ? NULL : st->entries + (size_t)slot * st->stride + start;
}

void split_numeric(splitter *s, const node_view *node, int feature);
/* The node's rows by ascending key of a numeric feature, into s->sorted. */
void sort_rows(splitter *s, const node_view *node, int feature);
void split_categorical(splitter *s, const node_view *node, int feature);

/* ---- synthetic.c ------------------------------------------------------------------------------------------------------ */
typedef struct synthetic {
    int n_real;
    bool quirks;
    rrf_data data; /* twice n_real rows: the real ones, then the second class */
    double *x;     /* its values */
} synthetic;
/* stacked: the real rows twice. */
rrf_status synthetic_init(synthetic *s, const rrf_data *stacked, bool quirks);
void synthetic_free(synthetic *s);
/* Makes the second class anew, as for each tree. */
void synthetic_draw(synthetic *s, rrf_rng *rng);

/* ---- tree.c: one tree ------------------------------------------------------------------------------------------------ */
/* Where a tree is written: its nodes in a forest. */
typedef struct tree {
    int32_t *left, *split_var, *status;
    double *split_point, *prediction;
    uint8_t *missing_left; /* NULL in R's engine */
    int size;
} tree;

typedef struct node_search node_search;

typedef struct grower {
    /* What split points and predictions read; the splitter searches the same rows, except in unsupervised mode, where R
     * ranks the data before it makes the second class. */
    const rrf_data *data;
    const rrf_params *params;
    const rrf_native_params *native; /* NULL: R's engine */
    node_search *search;             /* the native engine's; NULL: R's walk */
    watch watch;
    bag bag;
    columns *cols;
    splitter splitter;
    rrf_rng *rng;
    int32_t *rows, *spare;   /* n: in-bag rows; a node owns a range */
    uint8_t *goes_left;      /* n */
    int32_t *start, *n_rows; /* by node */
    double *class_total;     /* nclass by node */
    int node_capacity;
    uint8_t *used_in_tree; /* p */
    double *gini;          /* p: sum of the decreases in impurity */
} grower;

/* ranked: what the splitter searches; data itself but in unsupervised mode. cols: its columns, which grower_rank made. */
rrf_status grower_init(grower *g, const rrf_data *data, const rrf_data *ranked, columns *cols, const int32_t *y,
                       const double *response, int nclass, const double *classwt, const rrf_params *params,
                       const rrf_native_params *native, const int32_t *used, double *gini, rrf_rng *rng,
                       const rrf_monitor *monitor);
void grower_free(grower *g);
/* Nodes that a tree can have at most. */
int grower_max_nodes(const grower *g);
/* Grows a tree on the bag's rows; t->size is 1 when its root could not be split. */
rrf_status grow_tree(grower *g, tree *t);

/* ---- forest.c --------------------------------------------------------------------------------------------------------- */
/* Room for a further tree of up to max_nodes nodes; what stands there is unspecified. */
rrf_status forest_reserve(rrf_forest *forest, int max_nodes, tree *t);
/* The same for a native forest, which keeps where missing values go. */
rrf_status forest_reserve_native(rrf_forest *forest, int max_nodes, tree *t);
/* Keeps the tree that was grown in the reserved room. */
void forest_append(rrf_forest *forest, const tree *t);
tree forest_tree(const rrf_forest *forest, int index);

/* Row visits that sending a row down a tree counts for. */
enum { WORK_OF_A_DESCENT = 16 };

/* ---- predict.c -------------------------------------------------------------------------------------------------------- */
/* The terminal node, from 0, that each of the rows falls into; rows NULL: all of the data. column, if not NULL, stands in
 * for feature `replaced`. */
void tree_apply(const tree *t, const rrf_data *data, const int32_t *rows, int n_rows, int replaced,
                const double *column, int32_t *nodes);

/* ---- votes.c ---------------------------------------------------------------------------------------------------------- */
typedef struct vote_rule {
    int nclass;
    const double *cutoff;
    bool equal_cutoffs; /* counts alone decide, and tie exactly when the shares tie */
    bool quirks;
} vote_rule;

vote_rule vote_rule_make(int nclass, const double *cutoff, bool quirks);
/* The class with most votes/cutoff, given n_votes votes in all; `current` when no class has one. */
int vote_winner(const vote_rule *rule, const int32_t *votes, int n_votes, int current, rrf_rng *rng);
/* The same where a hash of `key` breaks ties. */
int vote_winner_native(const vote_rule *rule, const int32_t *votes, int n_votes, uint64_t key);
/* The votes of every row, and the error overall and by class; n_votes NULL: every row has had ntree of them. */
typedef struct ballot {
    int n;
    const int32_t *votes;   /* n x nclass */
    const int32_t *n_votes; /* n, or NULL */
    int ntree;
    const int32_t *y;   /* n; read for the error only */
    int32_t *predicted; /* n */
} ballot;
/* err_rate NULL: only the winners are wanted; cases: scratch of nclass. */
void ballot_count(const ballot *b, const vote_rule *rule, rrf_rng *rng, double *err_rate, int32_t *cases);

/* ---- importance.c ---------------------------------------------------------------------------------------------------- */
void shuffle(double *values, int n, rrf_rng *rng);
/* R's permuteOOB: the values of a feature in the given rows, shuffled. */
void permute_column(const rrf_data *data, int feature, const int32_t *rows, int n_rows, rrf_rng *rng, double *column);

typedef struct oob_sample {
    int size;
    int32_t *rows;      /* ascending */
    int32_t *predicted; /* class that the tree gives each of them */
} oob_sample;
/* Permutation importance of one tree; R's loop in classRF. */
typedef struct importance_scratch {
    double *column;                              /* n */
    int32_t *nodes;                              /* n */
    int32_t *n_oob, *correct, *permuted_correct; /* nclass + 1, the last for all classes */
} importance_scratch;
rrf_status importance_init(importance_scratch *scratch, int n, int nclass);
void importance_free(importance_scratch *scratch);
rrf_status importance_add(grower *g, const tree *t, const oob_sample *oob, importance_scratch *scratch,
                          rrf_class_result *result);
void importance_finish(const grower *g, rrf_class_result *result);

/* ---- proximity.c ------------------------------------------------------------------------------------------------------ */
/* Counts of pairs in one terminal node; oob_pairs non-NULL: among the pairs of which exactly one is out of bag. */
void proximity_add(double *proximity, int32_t *oob_pairs, const int32_t *nodes, const int32_t *inbag, int n,
                   bool quirks);
/* Its part for the rows first to last - 1 and all rows before each. */
void proximity_add_rows(double *proximity, int32_t *oob_pairs, const int32_t *nodes, const int32_t *inbag, int n,
                        bool quirks, int first, int last);
void proximity_add_test(double *proximity, const int32_t *test_nodes, int n_test, const int32_t *nodes, int n);
void proximity_finish(double *proximity, const int32_t *oob_pairs, int n, int ntree);
void proximity_finish_test(double *proximity, int n_test, int n, int ntree);

#endif
