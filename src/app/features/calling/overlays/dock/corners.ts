/** Where the small view of a call may rest; start and end as the page reads. */
export type Corner = 'top-start' | 'top-end' | 'bottom-end' | 'bottom-start';

const CLOCKWISE: readonly Corner[] = ['top-start', 'top-end', 'bottom-end', 'bottom-start'];

/** The corner that a point of the page is nearest to. */
export function nearestCorner(point: { x: number; y: number }, page: { width: number; height: number }): Corner {
  const block = point.y < page.height / 2 ? 'top' : 'bottom';
  return point.x < page.width / 2 ? `${block}-start` : `${block}-end`;
}

/** The next corner clockwise: the way to move for whoever does not drag. */
export function nextCorner(corner: Corner): Corner {
  return CLOCKWISE[(CLOCKWISE.indexOf(corner) + 1) % CLOCKWISE.length] ?? corner;
}
