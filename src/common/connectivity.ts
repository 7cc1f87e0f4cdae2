/** The browser's reports about the network and about the visibility of the page. */
export interface Connectivity {
  /** Returns whether the browser has a network. */
  isOnline(): boolean;
  /** Calls the listener when the network is lost or returns. Returns the function that unsubscribes it. */
  subscribe(listener: () => void): () => void;
  /**
   * Calls the listener when the page is shown again, restored from the back/forward cache, or resumed. Meanwhile a
   * socket may have died without a close, and another tab may have changed the storage. Returns the function that
   * unsubscribes the listener.
   */
  onReturn(listener: () => void): () => void;
}
