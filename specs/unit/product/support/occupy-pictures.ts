import { withSharp } from '../../../../sim/product/media/pictures.ts';

/** Occupies the server with so many works on pictures: 2 run, and 32 more may wait. The returned function ends them. */
export function occupyPictures(works: number): () => Promise<void> {
  let end = (): void => undefined;
  const isOver = new Promise<void>((resolve) => (end = resolve));
  const all = Promise.all(Array.from({ length: works }, () => withSharp(() => isOver)));
  return async () => {
    end();
    await all;
  };
}
