import type { ComponentType } from 'react';

/** Loads a component and `DataArea` at the same time. Returns the component inside of `DataArea`. */
export async function withData<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): Promise<ComponentType<Props>> {
  const [Part, { DataArea }] = await Promise.all([load(), import('./data-area.tsx')]);
  return (props) => (
    <DataArea>
      <Part {...props} />
    </DataArea>
  );
}
