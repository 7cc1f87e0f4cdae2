import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { usePorts, useSession } from '../../core/hooks/areas.ts';
import { useUi } from '../use-ui.ts';
import { useStore } from '../../../ui/store/use-store.ts';
import { createQueryClient } from './query-client.ts';

/**
 * Provides the query cache of the user to its children. The code is loaded with the first screen of a user, not for
 * visitors.
 */
export function DataArea({ children }: { children: ReactNode }) {
  const ports = usePorts();
  const { queries } = useUi();
  const { user } = useSession();
  // Another user has another cache, so the component follows the user.
  useStore(user.user);
  return (
    <QueryClientProvider client={queries.open(() => createQueryClient(ports.connectivity, ports.random))}>
      {children}
    </QueryClientProvider>
  );
}
