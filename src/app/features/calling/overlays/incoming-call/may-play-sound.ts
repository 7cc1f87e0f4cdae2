/**
 * Returns whether the browser lets the page play a sound without a press: the user has already interacted with the
 * page. A browser without this property (Safari before 16.4, Firefox before 120) is assumed to play it.
 */
export function mayPlaySound({ userActivation }: Partial<Pick<Navigator, 'userActivation'>>): boolean {
  return userActivation?.hasBeenActive ?? true;
}
