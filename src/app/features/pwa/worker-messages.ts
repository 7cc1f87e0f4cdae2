/** The message that a page posts to a waiting worker when its user agrees to the new version. */
export const SKIP_WAITING = 'skip-waiting';
