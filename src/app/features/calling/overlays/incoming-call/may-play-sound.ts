/**
 * Returns whether the browser lets the page play a sound by itself: the user has pressed something in it before. A browser
 * that does not say so (Safari before 16.4, Firefox before 120) is taken to play it.
 */
export function mayPlaySound({ userActivation }: Partial<Pick<Navigator, 'userActivation'>>): boolean {
  return userActivation?.hasBeenActive ?? true;
}
