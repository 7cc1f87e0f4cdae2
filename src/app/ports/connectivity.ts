/** What the browser reports about being on a network at all. */
export interface Connectivity {
  isOnline(): boolean;
  /** Called at every change. Returns the undo. */
  subscribe(listener: () => void): () => void;
}
