/** The part of the browser's `Storage` that the app uses: `localStorage` and `sessionStorage` fit as they are. */
export type KeyValueStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear'>;
