/* The table of the filters, which the plain core calls. SPDX-License-Identifier: GPL-2.0-or-later */
#include "filters.h"
#include "filters/classes.h"
#include "filters/columns/columns.h"
#include "filters/counts/incumbent.h"
#include "filters/counts/payloads.h"
#include "filters/counts/scan_rows.h"
#include "filters/lanes/lanes.h"
#include "filters/regression/search.h"
#include "filters/regrow.h"
#include "filters/simd/random.h"
#include "filters/split_sets.h"
#include "filters/trees.h"

const filter_table filters = {.twist = fast_twist,
                              .temper = fast_temper,
                              .draw_sets = fast_draw_sets,
                              .pass_untagged = fast_pass_untagged,
                              .columns_init = columns_init,
                              .rank_short = rank_short,
                              .column_ranked = columns_take,
                              .column_copied = columns_copy,
                              .columns_ranked = columns_finish,
                              .columns_free = columns_free,
                              .merge_ties = merge_ties,
                              .input_init = filter_input_init,
                              .read_ranks = filter_read_ranks,
                              .begin_bag = filter_begin_bag,
                              .splitter_init = filter_scratch_init,
                              .begin_tree = filter_begin_tree,
                              .begin_node = filter_begin_node,
                              .begin_members = lanes_begin_node,
                              .member_enters = lanes_add,
                              .ranks_changed = lanes_forget,
                              .fetch = fetch_column,
                              .try_member = try_member,
                              .split_numeric = split_counted,
                              .scan = scan_rows,
                              .try_sets = value_sets_at_once,
                              .settle = incumbent_settle,
                              .sort_rows = sort_rows_faster,
                              .builder_init = filter_builder_init,
                              .part_rows = part_rows_faster,
                              .node_parted = part_lists,
                              .apply_rows = apply_packed,
                              .regression_init = regression_filter_init,
                              .regression_begin_tree = regression_filter_begin_tree,
                              .regression_search = regression_filter_search,
                              .regression_mark = regression_filter_mark,
                              .regression_parted = regression_filter_parted,
                              .expect_members = sort_members,
                              .know_member = sort_member,
                              .bytes_of_members = bytes_of_lists,
                              .list_node = list_node,
                              .shortlist = drop_hopeless,
                              .regrow_init = regrow_init,
                              .regrow_begin = regrow_begin,
                              .regrow_end = regrow_end,
                              .regrow_list = regrow_list};
