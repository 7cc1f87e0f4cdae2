import { type ComponentType, type FunctionComponent, lazy, type ReactNode, Suspense } from 'react';
import { loadScreen } from './load-screen.ts';

interface OnDemand<Props extends object> {
  readonly Part: FunctionComponent<Props>;
  /** Loads the code before it is shown. */
  preload(): void;
}

/**
 * A part of a screen that many who open the screen never see: its code comes when it is first shown.
 *
 * @param waiting - what stands in its place until then. Default: nothing, as for what opens above the screen.
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
    // Whoever needs it then is told what is wrong.
    preload: () => void load().catch(() => {}),
  };
}
