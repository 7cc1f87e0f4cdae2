/** What a page says to a waiting worker when its user has agreed to the new version. */
export const SKIP_WAITING = 'skip-waiting';
