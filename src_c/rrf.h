/* pyrrf: regularized random forests, R's answers from R's random stream.
 *
 *   rrf_data ──► rrf_ranks ──► rrf_fit_* ──────► rrf_forest (packed trees) ──► rrf_predict
 *   (caller)     (columns      rrf_worker_grow
 *                 ranked once)
 *
 * example.c is the shortest program. This is the only public header. The caller owns every input and every output array,
 * and frees what a function named _new or _select has made; on failure nothing leaks and the arrays hold unspecified
 * values. No function prints, exits or keeps state between calls. Rows, features and classes count from 0 here; node
 * numbers inside a tree are R's and count from 1.
 *
 * Threads. What is const in a prototype is only read, and any number of calls, on any threads, may share it: data,
 * targets, parameters, ranks, and forests to predict with. What is not const belongs to one call at a time: a stream, a
 * worker, a forest that receives trees, the arrays of results. A monitor is asked from the thread that made the call.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RRF_H
#define RRF_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rrf_status {
    RRF_OK = 0,
    RRF_ERR_MEMORY,    /* an allocation failed */
    RRF_ERR_INTERRUPT, /* the monitor asked to stop */
    RRF_ERR_NO_SPLIT,  /* no in-bag sample could be split; CRAN RRF would sample forever */
    RRF_ERR_ARGUMENT,  /* an argument is out of its documented range */
    RRF_ERR_ONE_CLASS  /* random_forest: 31 bags in a row held a single class, where CRAN randomForest gives up */
} rrf_status;

/* Returns a sentence for a status; static storage. */
const char *rrf_strerror(rrf_status status);

/* ---- R's random stream ------------------------------------------------------------------------------------------
 * Mersenne-Twister and Inversion, with Rejection, R's default since 3.6, or Rounding, the way of R before. */
#define RRF_MT_WORDS 624

typedef struct rrf_rng {
    uint32_t state[RRF_MT_WORDS]; /* the generator's words as .Random.seed[3:626] shows them */
    uint32_t word[RRF_MT_WORDS];  /* the same words tempered: what the draws are made of */
    int position;                 /* words of the block already drawn, 0 to 624; .Random.seed[2] */
    int rounding;                 /* sample.kind = "Rounding", which moves rrf_rng_index() and rrf_sample() alone */
    uint64_t key, block;          /* a parallel stream: its key and its next block; key 0 is R's generator */
} rrf_rng;

/* set.seed(seed, sample.kind = "Rejection") */
void rrf_rng_seed(rrf_rng *rng, uint32_t seed);
/* Takes over .Random.seed[2] and .Random.seed[3:626]; sample.kind becomes "Rejection". */
void rrf_rng_restore(rrf_rng *rng, int position, const uint32_t state[RRF_MT_WORDS]);
/* One draw of unif_rand(), norm_rand(), R_unif_index(n). */
double rrf_rng_uniform(rrf_rng *rng);
double rrf_rng_normal(rrf_rng *rng);
double rrf_rng_index(rrf_rng *rng, double n);
/* sample.int(n, size, replace, prob), 0-based into out[size]. prob (n values, summing to anything positive) may be NULL. */
rrf_status rrf_sample(rrf_rng *rng, int64_t n, int64_t size, int replace, const double *prob, int64_t *out);

/* R's distributions, with two parameters in R's order; distributions of one parameter ignore the second. */
typedef enum rrf_law {
    RRF_UNIFORM,                   /* runif: min, max */
    RRF_NORMAL,                    /* rnorm: mean, sd */
    RRF_LOG_NORMAL,                /* rlnorm: meanlog, sdlog */
    RRF_EXPONENTIAL,               /* rexp: 1 / rate */
    RRF_LOGISTIC,                  /* rlogis: location, scale */
    RRF_CAUCHY,                    /* rcauchy: location, scale */
    RRF_WEIBULL,                   /* rweibull: shape, scale */
    RRF_GAMMA,                     /* rgamma: shape, scale */
    RRF_BETA,                      /* rbeta: shape1, shape2 */
    RRF_CHI_SQUARED,               /* rchisq: df */
    RRF_SHIFTED_CHI_SQUARED,       /* rchisq: df, ncp */
    RRF_STUDENT,                   /* rt: df */
    RRF_FISHER,                    /* rf: df1, df2 */
    RRF_BINOMIAL,                  /* rbinom: size, below 2^31 - 1, prob */
    RRF_POISSON,                   /* rpois: lambda */
    RRF_GEOMETRIC,                 /* rgeom: prob */
    RRF_NEGATIVE_BINOMIAL,         /* rnbinom: size, prob */
    RRF_NEGATIVE_BINOMIAL_OF_MEAN, /* rnbinom: size, mu */
} rrf_law;

/* A parameter of a distribution: values that are recycled. */
typedef struct rrf_parameter {
    const double *value;
    int64_t count; /* at least 1 */
} rrf_parameter;

/* n draws into out[n]; NaN where the parameters describe no distribution. */
rrf_status rrf_draw(rrf_rng *rng, rrf_law law, rrf_parameter a, rrf_parameter b, int64_t n, double *out);
/* Draws one column of rmultinom(): the counts of `size` items in k classes. prob: k, with a sum of 1. */
rrf_status rrf_multinomial(rrf_rng *rng, int size, const double *prob, int k, int32_t *out);

/* ---- Parallel streams -----------------------------------------------------------------------------------------------
 * Stream number `stream` of a seed: word i depends on nothing but (seed, stream, i), so that trees can be grown in any
 * order. */
void rrf_rng_splitmix(rrf_rng *rng, uint64_t seed, uint64_t stream);

/* ---- Data -------------------------------------------------------------------------------------------------------- */
typedef struct rrf_data {
    const double *x; /* n x p, column-major, finite; category k (from 0) of a factor is stored as k + 1 */
    int n, p;        /* rows, at most 2^30; features */
    /* p: 1 = numeric, otherwise the number of levels: 2 to 32; with random_forest to 53, for the parallel engine to
     * 65,536 */
    const int32_t *ncat;
    /* The parallel engine also reads other layouts, and NaN as a missing number. */
    const float *x32;                 /* single precision, instead of x */
    ptrdiff_t row_step, feature_step; /* strides in values, between rows and between features; both 0: column-major */
    /* A sparse matrix of numbers, for all but R's regression and without a response: column f has the values
     * x[column_start[f]] to x[column_start[f + 1] - 1], in the rows that row_index names at the same places, each above
     * the one before; its other rows hold 0. A value that is 0 itself is one of them. The answers are those of the dense
     * matrix. */
    const int64_t *column_start; /* p + 1, the first one 0; NULL: dense */
    const int32_t *row_index;    /* column_start[p] */
} rrf_data;

/* ---- Forest: trees packed one after the other ----------------------------------------------------------------------
 * Tree t has the nodes offset[t] .. offset[t + 1] - 1. The right daughter is always the left one plus 1. */
typedef struct rrf_forest {
    int64_t *offset;    /* ntree + 1 */
    int32_t *left;      /* left daughter, from 1; 0 in a terminal node */
    int32_t *split_var; /* feature, from 1; 0 in a terminal node */
    double
        *split_point;   /* R's xbestsplit: x <= split_point goes left; for a factor the bits of the levels going left */
    int32_t *status;    /* RRF_INTERIOR_CLASS, RRF_INTERIOR_REGRESS or RRF_TERMINAL */
    double *prediction; /* class from 1 (0 in an interior node), or the mean response of the node */
    uint8_t
        *missing_left; /* parallel forests: 1 = rows whose value is missing go left; NULL in forests of R's engine */
    /* Factors with more than 32 levels, in the parallel engine: split_point is the index, among the words of the tree,
     * of the first word of the split. Level k, from 0, is bit k % 32 of word k / 32; levels with a set bit go left.
     * Tree t has the words set_offset[t] .. set_offset[t + 1] - 1. Both may be NULL if no split has such a set. */
    int64_t *set_offset; /* ntree + 1 */
    uint32_t *level_set;
    int64_t capacity, set_capacity; /* nodes and words allocated */
    int ntree, tree_capacity;
} rrf_forest;

#define RRF_INTERIOR_CLASS 1      /* R's status of a split node in a classification tree */
#define RRF_INTERIOR_REGRESS (-3) /* and in a regression tree */
#define RRF_TERMINAL (-1)

void rrf_forest_init(rrf_forest *forest);
void rrf_forest_free(rrf_forest *forest);

/* The position of damage in a forest. */
typedef struct rrf_forest_fault {
    const char *rule; /* the broken rule; static storage, NULL for a sound forest */
    int tree, node;   /* from 0 */
} rrf_forest_fault;

/* Checks in one pass over the nodes that the core can have grown a forest which was stored, sent or assembled. The
 * functions below use a forest without checks; one that was not grown in this process must be checked first. n_nodes is
 * the length of the arrays of nodes; p, ncat and nclass (1: regression) are those of its training data. RRF_OK
 * guarantees that every row of such data reaches a terminal node in every tree, and adds to a class below nclass or to
 * a mean: offsets ascend from 0 to n_nodes; the k-th split of a tree has the daughters 2k and 2k + 1, which come after
 * it; split_var is in 1 .. p; a split point is not NaN, and that of a factor has only levels of the factor; status,
 * prediction and missing_left have valid values. Infinite split points and means are valid: R has them where huge
 * numbers overflow. Otherwise RRF_ERR_ARGUMENT, and *fault, unless NULL, has the position and the rule. */
rrf_status rrf_forest_check(const rrf_forest *forest, int64_t n_nodes, int p, const int32_t *ncat, int nclass,
                            rrf_forest_fault *fault);

/* ---- Growing ------------------------------------------------------------------------------------------------------ */
/* The name in R, and in brackets what rrf_params_init sets. */
typedef struct rrf_params {
    int ntree;     /* ntree [500] */
    int mtry;      /* mtry [to be set]: new features tried at a node, 1 to p; the parallel engine treats more as all */
    int nodesize;  /* nodesize [1]: a node with at most this many distinct rows stays terminal */
    int max_nodes; /* nrnodes [unlimited]: nodes of a tree, interior ones included; odd except for R's regression */
    int replace;   /* replace [1] */
    /* sampsize [to be set]: one number, or one per stratum; without replacement at most its rows */
    const int32_t *sampsize;
    const int32_t *strata;  /* strata [NULL: none]: n values from 0 */
    int nstrata;            /* [0]: strata; one that is empty is drawn from 0 times */
    const double *classwt;  /* classwt [NULL: the class proportions]: nclass positive priors */
    const double *cutoff;   /* cutoff [NULL: equal ones]: nclass positive values */
    int flag_reg;           /* flagReg [1] */
    const double *coef_reg; /* coefReg [to be set]: p finite values; at most 1 in the parallel engine */
    /* [NULL: each its own] p labels from 0 to p - 1: features with the same label enter F together, when a tree splits
     * on one of them. With flag_reg 1 only. */
    const int32_t *feature_group;
    int importance;      /* importance [0]: permutation importance as well as the impurity one */
    int n_perm;          /* nPerm [1]: permutations a tree and feature (regression only) */
    int oob_proximity;   /* oob.prox [0] */
    int keep_forest;     /* keep.forest [1] */
    int bias_correction; /* corr.bias [0] (regression only) */
    int quirks;          /* [1] reproduces CRAN RRF's slips, 0 does what was intended; see DIFFERENCES.md */
    int random_forest;   /* [0] engine r: 1 grows the forest of CRAN randomForest in place of CRAN RRF's, with its own
                          * slips: quirks must be 1 and flag_reg 0; coef_reg and F are ignored */
    /* weights [NULL: equal]: n positive values with a sum of 1, the probabilities of drawing the rows. With
     * random_forest only. */
    const double *case_weight;
    int n_jobs;    /* [1] number of threads including the caller's; the results do not depend on it. Engine r; the
                    * parallel engine has its own */
    int add_class; /* [0] unsupervised: the n/2 rows of the data come twice; the second half becomes a class of
                    * synthetic rows. inbag, proximity then have n/2 rows, local_importance still n */
} rrf_params;

/* Callbacks while a forest grows. Both may be NULL. Any non-zero result stops the fit with RRF_ERR_INTERRUPT. poll is
 * called many times a second, also inside a tree; tree after each tree. */
typedef struct rrf_monitor {
    int (*poll)(void *context);
    int (*tree)(void *context, int trees_grown);
    void *context;
} rrf_monitor;

/* The response of a forest: classes, or numbers. */
typedef struct rrf_target {
    const int32_t *y;       /* n classes from 0, all nclass present; zeros for regression */
    int nclass;             /* 1 for regression */
    const double *response; /* n finite numbers; NULL for classes. In the parallel engine no bag's sum may come near the
                             * largest double */
} rrf_target;

/* The criterion of a split. Criteria for classes come before those for regression. */
typedef enum rrf_criterion {
    RRF_CRITERION_OF_R, /* the Gini index for classes, the variance for regression */
    RRF_GINI,
    RRF_ENTROPY, /* information gain */
    RRF_VARIANCE,
    RRF_N_CRITERIA
} rrf_criterion;

/* The number that coef_reg multiplies with the Gini index; with any other criterion it is always the gain. */
typedef enum rrf_penalty {
    RRF_PENALIZE_CRITERION, /* R's rule */
    RRF_PENALIZE_GAIN,
    RRF_N_PENALTIES
} rrf_penalty;

/* The parameters of the parallel engine besides rrf_params. All zero, as after rrf_parallel_params_init except for
 * n_jobs 1, means RRF's rule. */
typedef struct rrf_parallel_params {
    uint64_t seed;
    /* Number of the first tree, which determines the streams. With flag_reg 0 the trees from 0 and those from ntree
     * together are the forest of twice as many trees. rrf_worker_* ignores it. */
    uint64_t first_tree;
    /* Number of threads including the caller's; 0 and 1: only that one. Reduced if the memory of the others would be
     * more than 256 MiB and more than half of that of one. */
    int n_jobs;
    rrf_criterion criterion;
    rrf_penalty penalty;
    int draw_from_all; /* candidates of a node: mtry of all features, as RRF does for regression; 0: F and mtry others */
    int max_depth;     /* largest number of splits on a path from the root; 0: unlimited */
    int use_depth;     /* coef_reg to the power of 1 + the splits above the node, as ranger's usedepth */
    int draw_until_split; /* a node without a splitting candidate draws another feature, until one splits it or all are
                           * drawn; 0: it stays terminal, as in RRF */
    int ties_first;  /* ties between splits go to the lowest feature, and its lowest cut; between classes of a leaf to
                      * the lowest. 0: at random */
    int depth_first; /* depth first, left daughters before right ones, so that F grows in another order; 0: breadth
                      * first, as in RRF. Nodes have the same numbers in both cases. rrf_worker_new refuses it */
    const double *row_weight; /* n, not negative: weight of a drawn row; NULL: 1 */
} rrf_parallel_params;

void rrf_params_init(rrf_params *params);
void rrf_parallel_params_init(rrf_parallel_params *parallel);

/* Checks the arguments of a fit, as every fit does first; parallel NULL: for R's engine. RRF_ERR_ARGUMENT: *field, if
 * field is not NULL, names the first field that is missing or out of range; static storage. Values in data are checked
 * when they are ranked: then the fit, or rrf_ranks_new, returns RRF_ERR_ARGUMENT. */
rrf_status rrf_params_check(const rrf_data *data, const rrf_target *target, const rrf_params *params,
                            const rrf_parallel_params *parallel, const char **field);

/* ---- Ranks ----------------------------------------------------------------------------------------------------------
 * The columns of a data set, each ranked once: what growing reads in place of the values. Fits on the same rows share
 * them: an ordinary forest and the guided ones after it, a path over coef_reg or gamma, tree after tree of a worker.
 * Ranks are never changed once they are made, and any number of threads may read them at once. */
typedef struct rrf_ranks rrf_ranks;

/* Ranks data for a fit with these arguments; parallel NULL: a fit of R's engine. Of params only sampsize, strata,
 * nstrata and classwt matter, of parallel criterion, row_weight (whether it is NULL) and n_jobs. add_class is refused:
 * such a fit makes its own rows. The caller owns *ranks and frees it after the last fit or worker that reads it; NULL
 * on failure. The data need not outlive it. */
rrf_status rrf_ranks_new(const rrf_data *data, const rrf_target *target, const rrf_params *params,
                         const rrf_parallel_params *parallel, const rrf_monitor *monitor, rrf_ranks **ranks);
/* Copies the ranks of some columns, in this order, without ranking again; the caller owns *selected, which does not
 * need `ranks`. */
rrf_status rrf_ranks_select(const rrf_ranks *ranks, const int32_t *features, int n_features, rrf_ranks **selected);
void rrf_ranks_free(rrf_ranks *ranks);

/* R's sort() of n numbers without NaN, which determines the order of 0 and -0; index is permuted in the same way. */
void rrf_sort(double *values, int32_t *index, int n);

/* Results of a classification forest. Required arrays first; an optional array that is NULL is not computed. */
typedef struct rrf_class_result {
    int32_t *predicted;    /* n: OOB class, -1 = never out of bag */
    int32_t *votes;        /* n x nclass, row-major: OOB votes */
    int32_t *oob_times;    /* n */
    double *error;         /* ntree x (nclass + 1), row-major: OOB error, overall and by class */
    double *decrease;      /* p: mean decrease in Gini impurity */
    double *classwt;       /* nclass: normalised class weights, R's forest$pid */
    int32_t *used;         /* p, in and out: 1 = in the feature set F (feaIni on entry, feaSet on return) */
    double *importance;    /* (nclass + 1) columns of p: decrease in accuracy by class and overall; with importance */
    double *importance_sd; /* likewise: its standard error */
    double *local_importance; /* p x n, column-major, or NULL */
    double *proximity;        /* n x n, or NULL */
    int32_t *inbag;           /* n x ntree, column-major, or NULL: 1 = in the bag; with random_forest times drawn */
    int32_t *test_predicted;  /* ntest; with test data */
    int32_t *test_votes;      /* ntest x nclass, row-major; with test data */
    double *test_error;       /* as error; with test labels */
    double *test_proximity;   /* ntest x (ntest + n), column-major, or NULL */
} rrf_class_result;

/* R's classRF. y: n classes from 0, all nclass of them present. test and ytest may be NULL. rng advances as in R;
 * forest, initialised by the caller, receives the trees if params->keep_forest is set. ranks: those of train for such a
 * fit, or NULL; RRF_ERR_ARGUMENT if they are of another type or shape. */
rrf_status rrf_fit_classification(const rrf_data *train, const int32_t *y, int nclass, const rrf_data *test,
                                  const int32_t *ytest, const rrf_params *params, const rrf_ranks *ranks, rrf_rng *rng,
                                  const rrf_monitor *monitor, rrf_forest *forest, rrf_class_result *result);

/* Results of a regression forest; an optional array that is NULL is not computed. */
typedef struct rrf_regression_result {
    double *mean;             /* n: OOB mean; 0 for a row that was never out of bag */
    int32_t *oob_times;       /* n */
    double *error;            /* ntree: OOB error after each tree */
    double *decrease;         /* p: mean decrease of the sum of squares, R's IncNodePurity */
    int32_t *used;            /* p, in and out: 1 = in the feature set F; with quirks F starts empty, as in CRAN RRF */
    double *coef;             /* 2: intercept and slope of y on the prediction; with bias_correction */
    double *importance;       /* p: increase of the OOB error when the feature is permuted; with importance */
    double *importance_sd;    /* p: its standard error */
    double *local_importance; /* p x n, column-major, or NULL; needs importance */
    double *proximity;        /* n x n, or NULL */
    int32_t *inbag;           /* n x ntree, column-major, or NULL: 1 = in the bag; with random_forest times drawn */
    double *test_mean;        /* ntest; with test data */
    double *test_error;       /* ntree; with test responses */
    double *test_proximity;   /* ntest x (ntest + n), column-major, or NULL; needs proximity */
} rrf_regression_result;

/* R's regRF. y: n finite responses. The strata, classwt, cutoff and add_class of params are ignored, and sampsize is
 * one number. test and ytest may be NULL. rng and forest as above; nodes, interior ones included, predict the mean of
 * their cases. */
rrf_status rrf_fit_regression(const rrf_data *train, const double *y, const rrf_data *test, const double *ytest,
                              const rrf_params *params, const rrf_ranks *ranks, rrf_rng *rng,
                              const rrf_monitor *monitor, rrf_forest *forest, rrf_regression_result *result);

/* ---- The parallel engine ---------------------------------------------------------------------------------------------
 * Every tree has its own random stream, so that trees can be grown side by side. The answer depends on the seed and
 * not on the number of threads. */

/* Results of a parallel forest; the caller owns the arrays. An optional array that is NULL is not computed. */
/* Rows that are predicted while the forest grows, tree by tree. predicted and mean equal those of rrf_predict(). */
typedef struct rrf_test_rows {
    const rrf_data *data;   /* the columns of the training data; missing values may be anywhere */
    const int32_t *y;       /* n: their classes from 0; NULL: unknown */
    const double *response; /* n: their numbers; NULL: unknown */
    int32_t *votes;         /* n x nclass, row-major; classes only */
    int32_t *predicted;     /* n; classes only */
    double *mean;           /* n; numbers only */
    double *error;          /* like the error of the fit, over all rows, after each tree; if y or response is known */
} rrf_test_rows;

/* The splits of the trees, in order: decrease is their sum in this order, divided by ntree. The arrays grow as needed. */
typedef struct rrf_splits {
    int64_t n, capacity;
    int32_t *feature; /* n, from 0 */
    double *decrease; /* n: of impurity, after regularization */
} rrf_splits;

void rrf_splits_init(rrf_splits *splits);
void rrf_splits_free(rrf_splits *splits);

typedef struct rrf_parallel_result {
    int32_t *votes;     /* n x nclass, row-major: OOB votes; classes only */
    int32_t *predicted; /* n: OOB class, -1 = never out of bag; classes only */
    double *mean;       /* n: OOB prediction, NaN = never out of bag; numbers only */
    int32_t *oob_times; /* n */
    double *error;    /* ntree x (nclass + 1), row-major: OOB error, overall and by class; regression: ntree, OOB MSE */
    double *decrease; /* p: mean decrease in impurity */
    double *classwt;  /* nclass: normalised class weights */
    int32_t *used;    /* p, in and out: 1 = in the feature set F */
    double *importance;       /* optional; classes: (nclass + 1) columns of p; regression: p. Loss by permutation */
    double *importance_sd;    /* likewise: its standard error; with importance */
    double *local_importance; /* optional: p x n, column-major; with importance */
    double *proximity;        /* optional: n x n */
    int32_t *inbag;           /* optional: n x ntree, column-major: times a row was drawn */
    rrf_test_rows *test;      /* optional */
    rrf_splits *splits;       /* optional: initialised by the caller; the splits of the forest are appended */
    int64_t regrown;          /* trees that were partly regrown because F had changed meanwhile */
    int64_t searched;         /* number of nodes searched in full */
    int64_t repeated;         /* nodes among these that were searched more than once */
} rrf_parallel_result;

/* quirks, bias_correction and add_class of params are ignored; importance, proximity and inbag are computed if their
 * arrays exist. monitor is called from the calling thread only. forest, initialised by the caller, receives the trees
 * if params->keep_forest is set. */
rrf_status rrf_fit_parallel(const rrf_data *train, const rrf_target *target, const rrf_params *params,
                            const rrf_parallel_params *parallel, const rrf_ranks *ranks, const rrf_monitor *monitor,
                            rrf_forest *forest, rrf_parallel_result *result);

/* ---- One tree at a time ------------------------------------------------------------------------------------------------
 * For selectors that choose rows, weights, responses or features from tree to tree. A worker is what one thread needs to
 * grow trees; several workers may share ranks. data, target, params, the arrays behind them and the ranks must outlive it. */
typedef struct rrf_worker rrf_worker;

typedef struct rrf_tree_request {
    const int32_t *count;     /* n: times a row is in the bag; NULL: drawn as for a forest */
    const double *row_weight; /* n; NULL: 1 */
    const double *response;   /* n, replaces the target's; NULL: the target's. Regression only */
    /* p, not negative, with a finite sum: weights for drawing the features of a node without replacement. 0, or less
     * than 2^-52 of the sum, excludes a feature. NULL: equal. Repeated calls with equal weights reuse their
     * preparation. */
    const double *probability;
    int32_t *used;              /* p, in and out: F */
    uint64_t seed, stream;      /* the random stream */
    const rrf_monitor *monitor; /* may stop it; NULL: no monitor */
} rrf_tree_request;

/* The best gain of each candidate feature of each node: the decrease in impurity by the feature's best split, before
 * coef_reg, in the unit of `decrease`. Those of node i, from 0, are at offset[i] to offset[i + 1] - 1, sorted by
 * decreasing gain, then by feature. A feature that cannot split the node has gain 0. A node that was not searched has
 * no candidates: below the root a pure, small or deep one, and any whose daughters would exceed max_nodes. */
typedef struct rrf_gains {
    int most;         /* limit per node, to those with the highest gains; set by the caller [unlimited] */
    int64_t *offset;  /* nodes + 1 */
    int32_t *feature; /* offset[nodes], from 0 */
    double *gain;     /* offset[nodes] */
    int64_t capacity; /* capacity of feature and gain; node_capacity of offset */
    int node_capacity;
} rrf_gains;

/* A report overwrites the arrays for each tree; they grow as needed. */
void rrf_gains_init(rrf_gains *gains);
void rrf_gains_free(rrf_gains *gains);

/* Optional results of a tree besides its nodes. NULL: not computed. */
typedef struct rrf_tree_report {
    /* The caller's arrays, of rrf_worker_max_nodes() nodes. */
    double *decrease; /* of impurity, after regularization; 0 in a terminal node */
    double *total;    /* nclass a node: weight of each class; regression: 2, weight and weighted sum of the responses */
    int32_t *distinct; /* nclass a node: in-bag rows of each class, each counted once; 1 in regression. Rows of no
                        * weight do not count */
    int32_t *leaves;   /* n: terminal node of each row of the training data, in the bag or not, from 1 */
    double *outside;   /* like total, for the rows out of the bag; only with leaves */
    rrf_gains
        *gains; /* initialised by the caller. They require a second search of each feature; the tree is the same */
} rrf_tree_report;

rrf_status rrf_worker_new(const rrf_data *train, const rrf_target *target, const rrf_params *params,
                          const rrf_parallel_params *parallel, const rrf_ranks *ranks, const rrf_monitor *monitor,
                          rrf_worker **worker);
void rrf_worker_free(rrf_worker *worker);
int rrf_worker_max_nodes(const rrf_worker *worker);
/* Appends the tree to forest. RRF_ERR_NO_SPLIT: no row in the bag has a weight. */
rrf_status rrf_worker_grow(rrf_worker *worker, const rrf_tree_request *request, rrf_forest *forest,
                           const rrf_tree_report *report);

/* ---- Prediction ------------------------------------------------------------------------------------------------------
 * Forests of either engine. */
/* The rule of draws between classes with equal votes. */
typedef enum rrf_ties {
    RRF_TIES_INTENDED,     /* all are equally likely */
    RRF_TIES_RRF,          /* as in CRAN RRF */
    RRF_TIES_RANDOM_FOREST /* as in CRAN randomForest */
} rrf_ties;

/* An optional array that is NULL is not computed. */
typedef struct rrf_prediction {
    int32_t *votes;     /* ndata x nclass, row-major; classes only */
    int32_t *predicted; /* ndata classes from 0; classes only; optional where there is no rng */
    double *mean;       /* ndata: the mean over the trees; numbers only */
    double *individual; /* optional: ndata x ntree, column-major: class from 0, or mean */
    int32_t *nodes;     /* optional: ndata x ntree, column-major, from 1 */
    double *proximity;  /* optional: ndata x ndata */
} rrf_prediction;

/* R's classForest and regForest, on n_jobs threads; the results do not depend on their number. data may have any
 * layout; levels may be missing (NaN) only for forests of the parallel engine. nclass 1: regression, and cutoff, ties
 * and rng are ignored. Ties between classes in the share of the votes over the cutoff (NULL: equal cutoffs): with rng,
 * draws decide, row after row; without, a hash of the leaves. */
rrf_status rrf_predict(const rrf_forest *forest, const rrf_data *data, int nclass, const double *cutoff, rrf_ties ties,
                       rrf_rng *rng, int n_jobs, const rrf_monitor *monitor, rrf_prediction *out);

#ifdef __cplusplus
}
#endif
#endif
