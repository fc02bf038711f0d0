//! Symmetric matrices: factored, inverted, centred.

/// A square matrix of which both halves are kept.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    pub fn zero(size: usize) -> Matrix {
        Matrix { size, cells: vec![0.0; size * size] }
    }

    #[inline]
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    #[inline]
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    pub fn set(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] = value;
    }

    pub fn scale(&mut self, factor: f64) {
        self.cells.iter_mut().for_each(|cell| *cell *= factor);
    }

    /// Turns the covariance of some values into that of their differences from their average.
    pub fn center(&mut self, members: &[usize]) {
        let count = members.len() as f64;
        let means: Vec<f64> = members
            .iter()
            .map(|&row| members.iter().map(|&column| self.get(row, column)).sum::<f64>() / count)
            .collect();
        let mean = means.iter().sum::<f64>() / count;
        for (row_mean, &row) in means.iter().zip(members) {
            for (column_mean, &column) in means.iter().zip(members) {
                self.add(row, column, mean - row_mean - column_mean);
            }
        }
    }

    /// The lower triangle L with L·Lᵀ equal to this matrix (A. Cholesky); none unless the matrix is
    /// positive definite. Only the lower half is read.
    pub fn factor(mut self) -> Option<Factor> {
        let size = self.size;
        for row in 0..size {
            let (above, this) = self.cells.split_at_mut(row * size);
            let this = &mut this[..size];
            for column in 0..row {
                let other = &above[column * size..column * size + column + 1];
                let sum = dot(&this[..column], &other[..column]);
                this[column] = (this[column] - sum) / other[column];
            }
            let rest = this[row] - dot(&this[..row], &this[..row]);
            // A value this small beside the one it was made from is only a rounding error.
            if rest.is_nan() || rest <= 1e-13 * this[row].abs() || rest <= 0.0 {
                return None;
            }
            this[row] = rest.sqrt();
        }
        Some(Factor(self))
    }
}

/// A lower triangle L, for the matrix L·Lᵀ.
pub(super) struct Factor(Matrix);

impl Factor {
    /// What the matrix makes `right` of.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let Matrix { size, cells } = &self.0;
        let mut values = right.to_vec();
        for row in 0..*size {
            let line = &cells[row * size..row * size + row + 1];
            values[row] = (values[row] - dot(&line[..row], &values[..row])) / line[row];
        }
        for row in (0..*size).rev() {
            let line = &cells[row * size..row * size + row + 1];
            values[row] /= line[row];
            let value = values[row];
            for (other, factor) in values[..row].iter_mut().zip(line) {
                *other -= factor * value;
            }
        }
        values
    }

    pub fn inverse(&self) -> Matrix {
        let size = self.0.size;
        // Row by row the transposed inverse of the triangle: column `c` of it from its row on.
        let mut columns = Matrix::zero(size);
        for column in 0..size {
            let values = &mut columns.cells[column * size..(column + 1) * size];
            values[column] = 1.0 / self.0.get(column, column);
            for row in column + 1..size {
                let line = &self.0.cells[row * size..row * size + row + 1];
                values[row] = -dot(&line[column..row], &values[column..row]) / line[row];
            }
        }
        let mut inverse = Matrix::zero(size);
        for row in 0..size {
            for column in 0..=row {
                let one = &columns.cells[row * size + row..(row + 1) * size];
                let other = &columns.cells[column * size + row..(column + 1) * size];
                let value = dot(one, other);
                inverse.set(row, column, value);
                inverse.set(column, row, value);
            }
        }
        inverse
    }
}

/// The sum of the products, in eight sums side by side, which a processor adds at once.
fn dot(one: &[f64], other: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (ones, others) = (one.chunks_exact(8), other.chunks_exact(8));
    let rest: f64 =
        ones.remainder().iter().zip(others.remainder()).map(|(one, other)| one * other).sum();
    for (one, other) in ones.zip(others) {
        for ((sum, one), other) in sums.iter_mut().zip(one).zip(other) {
            *sum += one * other;
        }
    }
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(size: usize) -> Matrix {
        let mut matrix = Matrix::zero(size);
        for row in 0..size {
            for column in 0..size {
                let near = 1.0 / (1.0 + row.abs_diff(column) as f64);
                matrix.set(row, column, near + if row == column { 2.0 } else { 0.0 });
            }
        }
        matrix
    }

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        for size in [1, 2, 7, 8, 30] {
            let (matrix, factor) = (some(size), some(size).factor().unwrap());
            let inverse = factor.inverse();
            for row in 0..size {
                for column in 0..size {
                    let product: f64 =
                        (0..size).map(|k| matrix.get(row, k) * inverse.get(k, column)).sum();
                    assert!((product - f64::from(row == column)).abs() < 1e-12);
                }
                let unit: Vec<f64> = (0..size).map(|k| f64::from(k == row)).collect();
                for (k, value) in factor.solve(&unit).into_iter().enumerate() {
                    assert!((value - inverse.get(k, row)).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn what_is_not_positive_definite_has_no_factor() {
        let mut matrix = Matrix::zero(2);
        for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            matrix.set(row, column, 1.0);
        }
        assert!(matrix.factor().is_none());
    }
}
