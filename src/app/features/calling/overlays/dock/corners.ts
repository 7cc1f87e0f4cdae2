/** A corner for the docked call. Start and end follow the direction of the text. */
export type Corner = 'top-start' | 'top-end' | 'bottom-end' | 'bottom-start';

const CLOCKWISE: readonly Corner[] = ['top-start', 'top-end', 'bottom-end', 'bottom-start'];

/** Returns the corner that is nearest to a point of the page. */
export function nearestCorner(point: { x: number; y: number }, page: { width: number; height: number }): Corner {
  const block = point.y < page.height / 2 ? 'top' : 'bottom';
  return point.x < page.width / 2 ? `${block}-start` : `${block}-end`;
}

/** Returns the next corner clockwise, for users who do not drag. */
export function nextCorner(corner: Corner): Corner {
  return CLOCKWISE[(CLOCKWISE.indexOf(corner) + 1) % CLOCKWISE.length] ?? corner;
}
