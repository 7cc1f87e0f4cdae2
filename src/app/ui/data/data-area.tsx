import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useServices } from '../../services/services-context.ts';
import { useStore } from '../../core/store/use-store.ts';
import { createQueryClient } from './query-client.ts';

/** Around what reads from the server. Its code is loaded with the first screen of a user, never with a visitor's. */
export function DataArea({ children }: { children: ReactNode }) {
  const { ports, queries, user } = useServices();
  // Another user, another cache.
  useStore(user.user);
  return (
    <QueryClientProvider client={queries.open(() => createQueryClient(ports.connectivity, ports.random))}>
      {children}
    </QueryClientProvider>
  );
}
