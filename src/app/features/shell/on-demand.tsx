import { type ComponentType, type FunctionComponent, lazy, type ReactNode, Suspense } from 'react';
import { loadScreen } from './load-screen.ts';

interface OnDemand<Props extends object> {
  readonly Part: FunctionComponent<Props>;
  /** Loads the code before the part is shown. */
  preload(): void;
}

/**
 * Creates a part of a screen whose code is loaded when the part is first shown.
 * | @param waiting - the placeholder while the code loads. Default: none, as for parts that open above the screen.
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ReactNode = null,
): OnDemand<Props> {
  const Loaded = lazy(() => loadScreen(async () => ({ default: await load() })));
  return {
    Part: (props) => (
      <Suspense fallback={waiting}>
        <Loaded {...props} />
      </Suspense>
    ),
    // A failure is reported when the part is shown.
    preload: () => void load().catch(() => {}),
  };
}
