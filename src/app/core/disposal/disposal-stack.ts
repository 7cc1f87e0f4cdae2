/** The functions that undo what an owner has made. */
export interface DisposalStack {
  /** Adds functions that the disposal calls. */
  add(...undo: readonly (() => void)[]): void;
  /** Adds the disposal of a service, and returns the service. */
  keep<Service extends { dispose(): void }>(service: Service): Service;
  /** Calls the functions once, the last one first, since later services use earlier ones. */
  dispose(): void;
}

export function createDisposalStack(): DisposalStack {
  const stack: (() => void)[] = [];
  return {
    add: (...undo) => void stack.push(...undo),
    keep(service) {
      stack.push(() => service.dispose());
      return service;
    },
    dispose() {
      for (let undo = stack.pop(); undo !== undefined; undo = stack.pop()) undo();
    },
  };
}
