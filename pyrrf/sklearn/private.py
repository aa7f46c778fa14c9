"""Private functions of scikit-learn 1.6 to 1.9: all that pyrrf uses of them stands here.

- ``check_sample_weight``: no public function checks weights against the rows as scikit-learn's own estimators do.
- ``check_method_params``: takes the metadata of some rows; routing is public, this part of it is not.
- ``output_config``: what ``set_output`` asks of `transform`; it can be set in public, but not read.

The class of a tree's nodes is used in ``result/to_sklearn``, which fits have as a method.
"""

from sklearn.utils._set_output import _get_output_config as output_config
from sklearn.utils.validation import _check_method_params as check_method_params
from sklearn.utils.validation import _check_sample_weight as check_sample_weight

__all__ = ["check_method_params", "check_sample_weight", "output_config"]
