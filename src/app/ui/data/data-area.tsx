import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useServices } from '../../services/services-context.ts';
import { useStore } from '../../core/store/use-store.ts';
import { createQueryClient } from './query-client.ts';

/**
 * Provides the query cache of the user to its children. The code is loaded with the first screen of a user, not for
 * visitors.
 */
export function DataArea({ children }: { children: ReactNode }) {
  const { ports, queries, user } = useServices();
  // Another user has another cache, so the component follows the user.
  useStore(user.user);
  return (
    <QueryClientProvider client={queries.open(() => createQueryClient(ports.connectivity, ports.random))}>
      {children}
    </QueryClientProvider>
  );
}
