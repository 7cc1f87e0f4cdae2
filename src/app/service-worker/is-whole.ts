/** Returns whether a response may be cached: it is complete, from this origin, and not redirected (S40). */
export function isWhole(response: Pick<Response, 'status' | 'type' | 'redirected'>): boolean {
  return response.status === 200 && response.type !== 'opaque' && !response.redirected;
}
