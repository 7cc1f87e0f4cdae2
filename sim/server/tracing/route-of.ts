import { CALLING_API } from '../../../src/protocol/calling-api.ts';
import { PRODUCT_API } from '../../../src/protocol/product/api.ts';

/** The parts of paths that are no parameters. */
const WORDS: ReadonlySet<string> = new Set(
  [...Object.values(CALLING_API), ...Object.values(PRODUCT_API)]
    .flatMap(({ path }) => path.split('/'))
    .filter((part) => !part.startsWith('{')),
);

/** The most parts of a route. A longer path belongs to no request. */
const MOST_PARTS = 12;

/** Returns a path without the parts that a client chooses, such as ids: `/v1/users/{}/login`. */
export const routeOf = (path: string): string =>
  path
    .split('/')
    .slice(0, MOST_PARTS)
    .map((part) => (WORDS.has(part) ? part : '{}'))
    .join('/');
