import { type Provider, createContext, useContext } from 'react';

/**
 * Creates the provider of the services of one area, and the hook that returns them. The services live as long as the
 * page, so that the hook renders no component again.
 *
 * @returns the provider and the hook. The hook throws an Error outside of the provider.
 */
export function createArea<Area>(name: string): readonly [Provider<Area | null>, () => Area] {
  const context = createContext<Area | null>(null);

  function useArea(): Area {
    const area = useContext(context);
    if (area === null) throw new Error(`This component must be inside of the provider of ${name}`);
    return area;
  }

  return [context.Provider, useArea];
}
