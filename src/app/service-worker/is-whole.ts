/** Whether an answer may be kept: the whole of it, from this origin, and not by way of another address (S40). */
export function isWhole(response: Pick<Response, 'status' | 'type' | 'redirected'>): boolean {
  return response.status === 200 && response.type !== 'opaque' && !response.redirected;
}
