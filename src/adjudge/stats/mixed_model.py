"""Linear mixed model of scores: items fixed; judges, texts and their preferences random; REML.

A cell c holds the mean of n_c scores of item a by judge j on text d:

    y_c = β_a + u_j + u_ja + u_d + u_da + e_c        Var(e_c) = σ_e² / n_c

u_j is the severity of the judge and u_d the difficulty of the text; u_ja and u_da are how much the
judge and the text favour the item. The five variances maximise the restricted likelihood (Patterson
and Thompson 1971), with exact gradients. Texts are eliminated in closed form, because cells are
nested in (text, item) and these in texts. What remains are Henderson's (1975) mixed model equations
in items, judges and preferences (judge, item), the only dense matrix. With more than
`MOST_PREFERENCES` of them, the variances are estimated from the scores of as many judges as fit,
chosen with a fixed seed, and the equations of all judges are solved by conjugate gradients.

With C = (X′V⁻¹X)⁻¹ = Cov(β̂) and Φ = V⁻¹XC, C = Σ_k σ_k² Φ′Z_k Z_k′Φ: the variance of every score
is the sum of what its sources contribute. A contrast l has Satterthwaite's degrees of freedom
2 (l′Cl)² / (g′Ag) with g_k = l′(∂C/∂σ_k²)l and A the inverse of the average information (Gilmour,
Thompson and Cullis 1995). A variance that is estimated as 0 keeps its share in A: few judges who
agree by chance do not prove that all judges agree.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize

from adjudge.stats.resampling import Codes, Floats

MOST_PREFERENCES = 500
SMALLEST, LARGEST = 1e-6, 1e2  # variances, relative to that of the cells
SEED = 1
PRECISION = 1e-9  # of conjugate gradients, relative to the right-hand side
ROUNDS = 500
UNINFORMED = 1e-7  # eigenvalues of the scaled information below this are directions not estimable
MOST_DEGREES = 1e5


@dataclass(frozen=True, eq=False)
class ScoreCells:
    """Means of scores by item, judge and text; a factor that is left out of the model is None."""

    mean: Floats
    number: Floats  # of scores in the cell
    item: Codes
    items: int
    judge: Codes | None
    text: Codes | None

    def where(self, mask: Any) -> "ScoreCells":
        """Restrict to the cells in `mask`."""
        return replace(
            self,
            mean=self.mean[mask],
            number=self.number[mask],
            item=self.item[mask],
            judge=None if self.judge is None else self.judge[mask],
            text=None if self.text is None else self.text[mask],
        )


@dataclass(frozen=True, eq=False)
class MixedFit:
    """Adjusted scores with their covariance over other judges and texts."""

    estimate: Floats  # (items,)
    covariance: Floats  # (items, items)
    variances: Mapping[str, float]  # σ² of every component
    parts: Mapping[str, Floats]  # share of every component in the variances of the scores
    degrees: Floats  # (items, items): of every difference; on the diagonal, of every score


def fit_mixed_model(
    cells: ScoreCells, least: float = 1e-12, variances: Floats | None = None
) -> MixedFit:
    """Fit the model.

    `least` is a lower bound of the variance of a single score. `variances` of all components are
    estimated unless they are known.
    """
    design = _Design(cells)
    uncertain = np.zeros((len(design.components),) * 2)
    solved = None
    if variances is None:
        large = design.preferences > MOST_PREFERENCES
        some = _Design(_of_some_judges(cells)) if large else design
        variances = _estimate(some, least)
        solved = _Equations(some, variances)
        uncertain = solved.variance_of_variances()
    if solved is None or solved.design is not design:
        solved = _Equations(design, variances, design.preferences <= MOST_PREFERENCES)
    by_component = np.array(solved.by_component())
    scores = np.diagonal(by_component, axis1=1, axis2=2)
    return MixedFit(
        estimate=solved.estimate,
        covariance=np.einsum("k,kab->ab", variances, by_component),
        variances=dict(zip(design.components, variances.tolist(), strict=True)),
        parts=dict(zip(design.components, variances[:, None] * scores, strict=True)),
        degrees=_satterthwaite(variances, by_component, uncertain),
    )


def _of_some_judges(cells: ScoreCells) -> ScoreCells:
    assert cells.judge is not None  # else there are no preferences
    order = np.random.default_rng(SEED).permutation(int(cells.judge.max()) + 1)
    items_of = np.bincount(
        np.unique(cells.judge * np.int64(cells.items) + cells.item) // cells.items,
        minlength=len(order),
    )
    chosen = order[np.cumsum(items_of[order]) <= MOST_PREFERENCES]
    return cells.where(np.isin(cells.judge, chosen))


class _Design:
    """Index vectors of the model: which cell belongs to which level of which factor."""

    def __init__(self, cells: ScoreCells) -> None:
        self.cells, self.items = cells, cells.items
        self.has_judges, self.has_texts = cells.judge is not None, cells.text is not None
        self.components = (
            *(("judge", "judge:item") if self.has_judges else ()),
            *(("text", "text:item") if self.has_texts else ()),
            "rest",
        )
        item = cells.item.astype(np.int64)
        if cells.judge is None:
            self.preference, self.item_of, self.judge_of = item, np.arange(self.items), None
            self.judges = 0
        else:
            _, judge = np.unique(cells.judge, return_inverse=True)
            self.judges = int(judge.max()) + 1
            both, self.preference = np.unique(judge * self.items + item, return_inverse=True)
            self.judge_of, self.item_of = np.divmod(both, self.items)
        self.border = len(self.item_of)
        if cells.text is not None:
            _, text = np.unique(cells.text, return_inverse=True)
            both, self.text_item = np.unique(text * self.items + item, return_inverse=True)
            self.text_of = both // self.items
            self.text = text

    @property
    def preferences(self) -> int:
        """Number of (judge, item); 0 where judges are not in the model."""
        return self.border if self.has_judges else 0

    @cached_property
    def to_border(self) -> Any:
        """Maps a vector over (items, judges, preferences) to the border of the equations."""
        rows = np.arange(self.border)
        blocks = [_indicator(rows, self.item_of, self.border, self.items)]
        if self.judge_of is not None:
            blocks.append(_indicator(rows, self.judge_of, self.border, self.judges))
            blocks.append(sparse.eye_array(self.border, format="csr"))
        return sparse.hstack(blocks, format="csr")

    @cached_property
    def cell_border(self) -> Any:
        """Cells × border."""
        rows = np.arange(len(self.preference))
        return _indicator(rows, self.preference, len(rows), self.border)

    @cached_property
    def text_item_cell(self) -> Any:
        """(Text, item) × cells."""
        columns = np.arange(len(self.text_item))
        return _indicator(self.text_item, columns, len(self.text_of), len(columns))

    @cached_property
    def text_cell(self) -> Any:
        """Texts × cells."""
        columns = np.arange(len(self.text))
        return _indicator(self.text, columns, int(self.text.max()) + 1, len(columns))


def _indicator(rows: Codes, columns: Codes, height: int, width: int) -> Any:
    return sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(height, width))


class _Equations:
    """Mixed model equations at given variances."""

    def __init__(self, design: _Design, variances: Floats, dense: bool = True) -> None:
        self.design, self.variances, self.dense = design, variances, dense
        self.of = dict(zip(design.components, variances.tolist(), strict=True))
        self.weight = design.cells.number / self.of["rest"]
        self.shrunken, self.on_cell = self.weight, np.zeros(0)
        if design.has_texts:
            self._eliminate_texts()
        # R⁻¹B, R being the covariance of what is nested in texts, and B′R⁻¹B.
        self.whitened = self.without_texts(design.cell_border)
        self.border = design.cell_border.T @ self.whitened
        self.right = self.whitened.T @ design.cells.mean

    def _eliminate_texts(self) -> None:
        design = self.design
        within = np.bincount(design.text_item, self.weight)
        self.item_factor = 1 / (1 + self.of["text:item"] * within)
        self.item_precision = within * self.item_factor
        of_text = np.bincount(design.text_of, self.item_precision)
        self.text_factor = 1 / (1 + self.of["text"] * of_text)
        self.text_precision = of_text
        self.shrunken = self.weight * self.item_factor[design.text_item]

    def without_texts(self, values: Any) -> Any:
        """R⁻¹ times the columns of `values` (cells × columns, sparse or dense)."""
        design = self.design
        weighed = _scaled(self.weight, values)
        if not design.has_texts:
            return weighed
        by_item = _scaled(self.of["text:item"] * self.item_factor, design.text_item_cell @ weighed)
        weighed = weighed - _scaled(self.weight, design.text_item_cell.T @ by_item)
        by_text = _scaled(self.of["text"] * self.text_factor, design.text_cell @ weighed)
        return weighed - _scaled(self.shrunken, design.text_cell.T @ by_text)

    @cached_property
    def penalty(self) -> Floats:
        """1/σ² of every unknown; 0 of items."""
        design, none = self.design, np.zeros(self.design.items)
        if not design.has_judges:
            return none
        judges = np.full(design.judges, 1 / self.of["judge"])
        return np.concatenate([none, judges, np.full(design.border, 1 / self.of["judge:item"])])

    @cached_property
    def _factor(self) -> Any:
        to = self.design.to_border
        matrix = (to.T @ self.border @ to).toarray()
        matrix[np.diag_indices_from(matrix)] += self.penalty
        return cho_factor(matrix, lower=True, overwrite_a=True)

    def solve(self, right: Floats) -> Floats:
        """Solve for the unknowns, given right-hand sides (unknowns × columns)."""
        if self.dense:
            return np.asarray(cho_solve(self._factor, right))
        return self._iterated(right)

    def _iterated(self, right: Floats) -> Floats:
        """Conjugate gradients, preconditioned by items and judges exactly, preferences by their
        diagonal."""
        to, few = self.design.to_border, self.design.items + self.design.judges
        head = (to[:, :few].T @ self.border @ to[:, :few]).toarray()
        head[np.diag_indices_from(head)] += self.penalty[:few]
        factor = cho_factor(head, lower=True)
        diagonal = (self.border.diagonal() + self.penalty[few:])[:, None]

        def times(columns: Floats) -> Floats:
            product = to.T @ (self.border @ (to @ columns))
            return np.asarray(product + self.penalty[:, None] * columns)

        def conditioned(columns: Floats) -> Floats:
            return np.concatenate([cho_solve(factor, columns[:few]), columns[few:] / diagonal])

        return _conjugate_gradients(times, conditioned, right)

    @cached_property
    def solution(self) -> Floats:
        """Estimates of items, judges and preferences."""
        return self.solve((self.design.to_border.T @ self.right)[:, None])[:, 0]

    @property
    def estimate(self) -> Floats:
        """β̂."""
        return self.solution[: self.design.items]

    @cached_property
    def residual(self) -> Floats:
        """V⁻¹(y − Xβ̂) = Py."""
        fitted = (self.design.to_border @ self.solution)[self.design.preference]
        return np.asarray(self.without_texts((self.design.cells.mean - fitted)[:, None])[:, 0])

    def projections(self, values: Floats) -> list[Floats]:
        """Z_k′ values of every component; for the rest, values/√n."""
        design = self.design
        found = []
        if design.judge_of is not None:
            by_preference = design.cell_border.T @ values
            by_judge = np.zeros((design.judges, values.shape[1]))
            np.add.at(by_judge, design.judge_of, by_preference)
            found += [by_judge, by_preference]
        if design.has_texts:
            found += [design.text_cell @ values, design.text_item_cell @ values]
        return [*found, values / np.sqrt(design.cells.number)[:, None]]

    def by_component(self) -> list[Floats]:
        """∂C/∂σ_k² of every component."""
        unit = np.zeros((len(self.penalty), self.design.items))
        unit[: self.design.items] = np.eye(self.design.items)
        influence = self.whitened @ (self.design.to_border @ self.solve(unit))
        return [part.T @ part for part in self.projections(influence)]

    def minus_twice_likelihood(self) -> tuple[float, Floats]:
        """−2 log of the restricted likelihood, less a constant, and its gradient in σ²."""
        design, cells = self.design, self.design.cells
        logarithm = -np.log(self.weight).sum()
        if design.has_texts:
            logarithm -= np.log(self.item_factor).sum() + np.log(self.text_factor).sum()
        if design.has_judges:
            logarithm -= np.log(self.penalty[design.items :]).sum()
        logarithm += 2 * np.log(np.diag(self._factor[0])).sum()
        squares = float(cells.mean @ self.residual)
        traces = self._traces()
        moved = [float((part**2).sum()) for part in self.projections(self.residual[:, None])]
        return float(logarithm) + squares, np.array(traces) - np.array(moved)

    def _traces(self) -> list[float]:
        """tr(P ∂V/∂σ_k²) of every component."""
        design, items, judges = self.design, self.design.items, self.design.judges
        inverse = cho_solve(self._factor, np.eye(len(self.penalty)))
        found = []
        if design.has_judges:
            own = np.diag(inverse)
            of_judges, rest = own[items : items + judges], own[items + judges :]
            for kept, name in ((of_judges, "judge"), (rest, "judge:item")):
                found.append((len(kept) - kept.sum() / self.of[name]) / self.of[name])
        to = design.to_border
        between = to @ (to @ inverse.T).T  # T H⁻¹ T′
        on_cell = self.weight.copy()
        if design.has_texts:
            share, tight = self.item_factor, self.item_precision
            square = np.bincount(design.text_of, tight**2)
            found += [
                float((self.text_precision * self.text_factor).sum()),
                float(tight.sum() - self.of["text"] * (self.text_factor * square).sum()),
            ]
            on_cell -= self.weight**2 * (self.of["text:item"] * share)[design.text_item]
            on_cell -= self.shrunken**2 * (self.of["text"] * self.text_factor)[design.text]
        found.append(float((on_cell / design.cells.number).sum()))
        by_border = [
            *([design.text_cell, design.text_item_cell] if design.has_texts else []),
            sparse.diags_array(1 / np.sqrt(design.cells.number)),
        ]
        first = len(found) - len(by_border)
        for k, indicator in enumerate(by_border):
            part = (indicator @ self.whitened).tocoo()
            product = part.tocsr() @ between
            found[first + k] -= float((product[part.row, part.col] * part.data).sum())
        return found

    def variance_of_variances(self) -> Floats:
        """Inverse of the average information ½ y′P V_j P V_k P y."""
        design, number = self.design, self.design.cells.number
        moved = self.projections(self.residual[:, None])
        working = []  # V_k P y
        if design.judge_of is not None:
            working += [moved[0][design.judge_of][design.preference], moved[1][design.preference]]
        if design.has_texts:
            working += [moved[-3][design.text], moved[-2][design.text_item]]
        working.append(moved[-1] / np.sqrt(number)[:, None])
        columns = np.concatenate(working, axis=1)
        left = self.whitened.T @ columns
        fitted = design.to_border @ self.solve(design.to_border.T @ left)
        information = columns.T @ self.without_texts(columns) - left.T @ fitted
        information = (information + information.T) / 4
        scale = 1 / np.sqrt(np.maximum(np.diag(information), 1e-300))
        value, vector = np.linalg.eigh(information * np.outer(scale, scale))
        known = value > UNINFORMED
        root = scale[:, None] * vector[:, known] / np.sqrt(value[known])
        return np.asarray(root @ root.T)


def _scaled(factor: Floats, values: Any) -> Any:
    """Rows of `values` times their factors."""
    if sparse.issparse(values):
        return sparse.diags_array(factor) @ values
    return factor[:, None] * values


def _conjugate_gradients(
    times: Callable[[Floats], Floats], conditioned: Callable[[Floats], Floats], right: Floats
) -> Floats:
    """Solve for several right-hand sides at once."""
    found, left = np.zeros_like(right), right.copy()
    towards = conditioned(left)
    direction, size = towards, (left * towards).sum(axis=0)
    target = PRECISION**2 * size
    for _ in range(ROUNDS):
        if (size <= target).all():
            break
        image = times(direction)
        along = (direction * image).sum(axis=0)
        step = np.divide(size, along, out=np.zeros_like(size), where=along > 0)
        found += step * direction
        left -= step * image
        towards = conditioned(left)
        before, size = size, (left * towards).sum(axis=0)
        direction = towards + direction * np.divide(
            size, before, out=np.zeros_like(size), where=before > 0
        )
    return found


def _estimate(design: _Design, least: float) -> Floats:
    """REML estimates of the variances."""
    cells = design.cells
    mean = np.bincount(cells.item, cells.mean, cells.items) / np.maximum(
        np.bincount(cells.item, minlength=cells.items), 1
    )
    scale = max(float(((cells.mean - mean[cells.item]) ** 2).mean()), least)
    number = len(design.components)
    start = np.log(np.full(number, scale / number))
    bounds = [(np.log(SMALLEST * scale), np.log(LARGEST * scale))] * number
    bounds[-1] = (np.log(max(SMALLEST * scale, least)), np.log(LARGEST * max(scale, least)))
    start = np.clip(start, *np.array(bounds).T)

    def loss(logarithms: Floats) -> tuple[float, Floats]:
        variances = np.exp(logarithms)
        value, gradient = _Equations(design, variances).minus_twice_likelihood()
        return value, gradient * variances

    found = minimize(
        loss,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        options={"ftol": 1e-9, "gtol": 1e-4},
    )
    return np.asarray(np.exp(found.x))


def _satterthwaite(variances: Floats, by_component: Floats, uncertain: Floats) -> Floats:
    """Degrees of freedom of every difference; on the diagonal, of every score."""
    own = np.diagonal(by_component, axis1=1, axis2=2)
    slope = own[:, :, None] + own[:, None, :] - 2 * by_component
    items = np.arange(slope.shape[1])
    slope[:, items, items] = own
    variance = np.einsum("k,kab->ab", variances, slope)
    noise = np.einsum("kab,kl,lab->ab", slope, uncertain, slope)
    degrees = np.divide(
        2 * variance**2, noise, out=np.full_like(noise, MOST_DEGREES), where=noise > 0
    )
    return np.asarray(np.clip(degrees, 1, MOST_DEGREES))
