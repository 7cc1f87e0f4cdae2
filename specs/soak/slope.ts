/** Returns the slope of the straight line with the least squares through points. Null with fewer than three. */
export function slopeOf(points: readonly { readonly x: number; readonly y: number }[]): number | null {
  if (points.length < 3) return null;
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map((point) => point.x)), mean(points.map((point) => point.y))];
  const spread = points.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
  return spread === 0 ? null : points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0) / spread;
}
