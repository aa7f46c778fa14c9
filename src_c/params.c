/* Defaults of the parameters, and the check of all arguments. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "data/matrix.h"
#include "params.h"

void rrf_params_init(rrf_params *params)
{
    *params = (rrf_params){.ntree = 500,
                           .nodesize = 1,
                           .max_nodes = INT32_MAX,
                           .replace = 1,
                           .flag_reg = 1,
                           .n_perm = 1,
                           .keep_forest = 1,
                           .quirks = 1,
                           .n_jobs = 1};
}

void rrf_parallel_params_init(rrf_parallel_params *parallel)
{
    *parallel = (rrf_parallel_params){.n_jobs = 1};
}

/* ---- the check ------------------------------------------------------------------------------------------------------- */

typedef struct call {
    const rrf_data *data;
    const rrf_target *target;
    const rrf_params *params;
    const rrf_parallel_params *parallel; /* NULL: R's engine */
    rrf_status status;
} call;

/* The functions below return the name of the field that is out of its range, or NULL. */
#define REQUIRE(condition, name)                                                                                       \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            return name;                                                                                               \
        }                                                                                                              \
    } while (0)

static bool are_between(const double *values, int n, double least, double most)
{
    bool valid = true;
    for (int i = 0; i < n; ++i) {
        valid = valid && values[i] >= least && values[i] <= most;
    }
    return valid;
}

bool are_classes(const int32_t *values, int n, int nclass)
{
    bool valid = true;
    for (int i = 0; i < n; ++i) {
        valid = valid && values[i] >= 0 && values[i] < nclass;
    }
    return valid;
}

/* Levels are numbered from 1. A missing one is allowed in new data only, and only for forests of the parallel engine. */
static bool are_levels(const rrf_data *data, int feature, bool may_miss)
{
    bool valid = true;
    for (int row = 0; row < data->n; ++row) {
        double value = data_value(data, feature, row);
        bool level = value >= 1.0 && value <= data->ncat[feature] && value == floor(value);
        valid = valid && (level || (may_miss && isnan(value)));
    }
    return valid;
}

static const char *check_factors(const rrf_data *data, int most_levels, bool may_miss)
{
    for (int feature = 0; feature < data->p; ++feature) {
        REQUIRE(data->ncat[feature] >= 1 && data->ncat[feature] <= most_levels, "ncat");
        REQUIRE(data->ncat[feature] == 1 || are_levels(data, feature, may_miss), "x");
    }
    return NULL;
}

/* Numbers of rows and of nodes, 2n + 1 at most, are counted in ints. */
enum { MAX_ROWS = 1 << 30 };

static bool rows_ascend(const int32_t *rows, int64_t first, int64_t end, int n)
{
    bool ascend = true;
    for (int64_t at = first; at < end; ++at) {
        ascend = ascend && rows[at] >= (at > first ? rows[at - 1] + 1 : 0) && rows[at] < n;
    }
    return ascend;
}

static const char *check_sparse(const rrf_data *data)
{
    const int64_t *start = data->column_start;
    REQUIRE(data->x && !data->x32 && !data->row_step && !data->feature_step, "x");
    REQUIRE(start[0] == 0, "column_start");
    REQUIRE(data->row_index, "row_index");
    for (int feature = 0; feature < data->p; ++feature) {
        REQUIRE(start[feature] <= start[feature + 1], "column_start");
    }
    for (int feature = 0; feature < data->p; ++feature) {
        REQUIRE(rows_ascend(data->row_index, start[feature], start[feature + 1], data->n), "row_index");
        REQUIRE(data->ncat[feature] == 1, "ncat");
    }
    return NULL;
}

static const char *check_layout(const rrf_data *data, bool any_layout)
{
    REQUIRE(data, "data");
    REQUIRE(data->n >= 1 && data->n <= MAX_ROWS, "n");
    REQUIRE(data->p >= 1, "p");
    REQUIRE(data->ncat, "ncat");
    REQUIRE((data->x != NULL) != (data->x32 != NULL), "x");
    REQUIRE(any_layout || (data->x && !data->row_step && !data->feature_step), "x");
    return data->column_start ? check_sparse(data) : NULL;
}

const char *check_new_data(const rrf_data *data, bool may_miss)
{
    const char *field = check_layout(data, true);
    return field ? field : check_factors(data, may_miss ? RRF_MAX_WIDE : RRF_MAX_PACKED, may_miss);
}

static const char *check_target(call *c)
{
    const rrf_target *t = c->target;
    REQUIRE(t->nclass >= 1 && (t->nclass > 1) == !t->response, "nclass");
    REQUIRE(t->y || (t->response && !c->parallel), "y");
    REQUIRE(!t->y || are_classes(t->y, c->data->n, t->nclass), "y");
    /* R's regression reads rows of columns repeatedly, and its second class consists of whole columns. */
    REQUIRE(!c->data->column_start || c->parallel || !t->response, "x");
    REQUIRE(!t->response || are_between(t->response, c->data->n, -DBL_MAX, DBL_MAX), "response");
    return NULL;
}

static bool can_draw(const rrf_params *params, int size, int rows)
{
    return size >= 0 && (size <= rows || (params->replace && rows > 0));
}

/* Without replacement no stratum may be drawn from more often than it has rows. */
static bool can_draw_strata(call *c)
{
    const rrf_params *params = c->params;
    int32_t *rows = calloc((size_t)params->nstrata, sizeof *rows);
    bool valid = true;
    c->status = rows ? RRF_OK : RRF_ERR_MEMORY;
    for (int row = 0; rows && row < c->data->n; ++row) {
        ++rows[params->strata[row]];
    }
    for (int s = 0; rows && s < params->nstrata; ++s) {
        valid = valid && can_draw(params, params->sampsize[s], rows[s]);
    }
    free(rows);
    return valid;
}

static const char *check_sample(call *c)
{
    const rrf_params *params = c->params;
    bool stratified = params->strata && (c->parallel || !c->target->response);
    int64_t draws = 0;
    REQUIRE(params->sampsize, "sampsize");
    REQUIRE(!stratified || (params->nstrata >= 1 && params->nstrata <= c->data->n), "nstrata");
    REQUIRE(!stratified || are_classes(params->strata, c->data->n, params->nstrata), "strata");
    REQUIRE(stratified ? can_draw_strata(c) : can_draw(params, params->sampsize[0], c->data->n), "sampsize");
    for (int s = 0; s < (stratified ? params->nstrata : 1); ++s) {
        draws += params->sampsize[s];
    }
    REQUIRE(draws >= 1 && draws <= INT32_MAX, "sampsize");
    return NULL;
}

static const char *check_class_weights(call *c)
{
    const rrf_params *params = c->params;
    int nclass = c->target->nclass;
    if (!c->target->response) {
        REQUIRE(!params->classwt || are_between(params->classwt, nclass, DBL_TRUE_MIN, DBL_MAX), "classwt");
        REQUIRE(!params->cutoff || are_between(params->cutoff, nclass, DBL_TRUE_MIN, DBL_MAX), "cutoff");
    }
    return NULL;
}

static const char *check_row_weights(call *c)
{
    const double *row_weight = c->parallel ? c->parallel->row_weight : NULL;
    REQUIRE(!row_weight || are_between(row_weight, c->data->n, 0.0, DBL_MAX), "row_weight");
    return NULL;
}

/* Returns the weight of the heaviest row, relative to the mean as in bags; 1 if weights do not matter. */
static double heaviest(const double *row_weight, int n)
{
    double sum = 0.0, most = 0.0;
    for (int row = 0; row_weight && row < n; ++row) {
        sum += row_weight[row];
        most = row_weight[row] > most ? row_weight[row] : most;
    }
    double relative = sum > 0.0 ? most * (n / sum) : 1.0;
    return relative > 1.0 ? relative : 1.0;
}

/* The parallel engine subtracts the sum of one daughter from that of the node: none may overflow. */
static const char *check_sums(call *c)
{
    const rrf_params *params = c->params;
    double draws = 0.0;
    if (c->parallel && c->target->response) {
        for (int s = 0; s < (params->strata ? params->nstrata : 1); ++s) {
            draws += params->sampsize[s];
        }
        double most = DBL_MAX / 4.0 / draws / heaviest(c->parallel->row_weight, c->data->n);
        REQUIRE(are_between(c->target->response, c->data->n, -most, most), "response");
    }
    return NULL;
}

/* Checks the requirements of the forest of CRAN randomForest. */
static const char *check_random_forest(call *c)
{
    const rrf_params *params = c->params;
    REQUIRE(!params->random_forest || (!c->parallel && params->quirks && !params->flag_reg), "random_forest");
    if (params->case_weight) {
        REQUIRE(params->random_forest && !params->add_class, "case_weight");
        REQUIRE(are_between(params->case_weight, c->data->n, DBL_TRUE_MIN, 1.0), "case_weight");
    }
    return NULL;
}

static const char *check_coefficients(call *c)
{
    if (c->params->random_forest) {
        return NULL;
    }
    /* The parallel engine skips features outside F that cannot win, assuming that coefReg is a penalty. */
    double most = c->parallel ? 1.0 : DBL_MAX;
    REQUIRE(c->params->coef_reg && are_between(c->params->coef_reg, c->data->p, -DBL_MAX, most), "coef_reg");
    /* If no feature is exempt, groups have no effect. */
    const int32_t *group = c->params->feature_group;
    REQUIRE(!group || (c->params->flag_reg == 1 && are_classes(group, c->data->p, c->data->p)), "feature_group");
    return NULL;
}

static const char *check_numbers(call *c)
{
    const rrf_params *params = c->params;
    bool trees_of_r = !c->parallel && c->target->response;
    REQUIRE(params->ntree >= 1, "ntree");
    REQUIRE(params->mtry >= 1 && (c->parallel || params->mtry <= c->data->p), "mtry");
    REQUIRE(params->nodesize >= 0, "nodesize");
    /* Daughters come in pairs, in addition to the root. */
    REQUIRE(params->max_nodes >= 1 && (trees_of_r || params->max_nodes % 2 == 1), "max_nodes");
    REQUIRE(!params->importance || params->n_perm >= 1, "n_perm");
    REQUIRE(!params->add_class || (!c->parallel && c->target->nclass == 2 && c->data->n % 2 == 0), "add_class");
    REQUIRE(!params->add_class || !c->data->column_start, "x");
    REQUIRE((c->parallel ? c->parallel->n_jobs : params->n_jobs) >= 0, "n_jobs");
    REQUIRE(!c->parallel || c->parallel->max_depth >= 0, "max_depth");
    return NULL;
}

/* An enum that a caller fills may hold any number. */
static const char *check_criterion(call *c)
{
    if (c->parallel && c->parallel->criterion != RRF_CRITERION_OF_R) {
        int asked = (int)c->parallel->criterion;
        REQUIRE(asked > 0 && asked < RRF_N_CRITERIA, "criterion");
        REQUIRE((asked >= RRF_VARIANCE) == (c->target->response != NULL), "criterion");
    }
    int penalty = c->parallel ? (int)c->parallel->penalty : 0;
    REQUIRE(penalty >= 0 && penalty < RRF_N_PENALTIES, "penalty");
    return NULL;
}

static int most_levels(const call *c)
{
    return c->parallel ? RRF_MAX_WIDE : c->params->random_forest ? RRF_MAX_PACKED : RRF_MAX_LEVELS;
}

typedef const char *check(call *c);

/* Returns the first fault that one of the checks, or of the data's factors, has. */
static const char *find_fault(call *c, check *const *checks, int n_checks)
{
    const char *field = check_layout(c->data, c->parallel != NULL);
    field = field || c->target ? field : "target";
    field = field || c->params ? field : "params";
    for (int i = 0; !field && !c->status && i < n_checks; ++i) {
        field = checks[i](c);
    }
    return field || c->status ? field : check_factors(c->data, most_levels(c), false);
}

rrf_status rrf_params_check(const rrf_data *data, const rrf_target *target, const rrf_params *params,
                            const rrf_parallel_params *parallel, const char **field)
{
    static check *const checks[] = {check_target,        check_numbers, check_criterion,
                                    check_random_forest, check_sample,  check_class_weights,
                                    check_row_weights,   check_sums,    check_coefficients};
    call c = {data, target, params, parallel, RRF_OK};
    const char *found = find_fault(&c, checks, sizeof checks / sizeof *checks);
    if (field) {
        *field = found;
    }
    return c.status || !found ? c.status : RRF_ERR_ARGUMENT;
}

rrf_status check_ranking(const rrf_data *data, const rrf_target *target, const rrf_params *params,
                         const rrf_parallel_params *parallel)
{
    /* Only the presence of row weights matters, so their values need not be set yet. */
    static check *const checks[] = {check_target, check_criterion, check_class_weights, check_sample};
    call c = {data, target, params, parallel, RRF_OK};
    bool counts_draws = target && !target->response && !parallel;
    const char *found = find_fault(&c, checks, counts_draws ? 4 : 3);
    return c.status || !found ? c.status : RRF_ERR_ARGUMENT;
}

const char *check_test_data(const rrf_data *train, const rrf_data *test)
{
    if (!test) {
        return NULL;
    }
    const char *field = check_layout(test, false);
    REQUIRE(!field, field);
    REQUIRE(test->p == train->p, "test");
    REQUIRE(!memcmp(test->ncat, train->ncat, (size_t)train->p * sizeof *train->ncat), "test");
    return check_factors(test, RRF_MAX_PACKED, false);
}
