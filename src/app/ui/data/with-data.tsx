import type { ComponentType } from 'react';

/** A part of the page together with what reads from the server around it, both loaded at once. */
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
