import { type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { type Ringback, type RingbackOptions, createRingback } from './ringback.ts';
import { browserPorts } from './session/browser-ports.ts';
import { RingbackContext } from './ringback-context.ts';
import type { Credentials, Logger, Service } from './session/session-ports.ts';

/** The props of {@link RingbackProvider}. */
export interface RingbackProviderProps extends Service, Pick<RingbackOptions, 'load'> {
  /** The log of failures. Default: `console`. */
  readonly logger?: Logger | undefined;
  /** The user of the page. Null signs the user out. Another access token is used by the next sign-in. */
  readonly user: Credentials | null;
  /** The components that use the hooks. */
  readonly children: ReactNode;
}

/**
 * Owns the session of the page. Signs the user in when it mounts, and signs the user out when it unmounts, which ends
 * every call. A change of the user or of the service does both. `useConnection` has the state and the error.
 */
export function RingbackProvider({ children, user, ...options }: RingbackProviderProps): ReactElement {
  const { appId, apiHost, websocketHost } = options;
  const [{ ringback, identify, open }] = useState(() => createOwner(options));
  const userId = user?.userId;
  const accessToken = user?.accessToken;

  useEffect(() => {
    identify(userId === undefined ? null : { userId, ...(accessToken !== undefined && { accessToken }) });
  }, [identify, userId, accessToken]);
  useEffect(
    () => (userId === undefined ? undefined : open({ appId, apiHost, websocketHost })),
    [open, userId, appId, apiHost, websocketHost],
  );

  return <RingbackContext.Provider value={ringback}>{children}</RingbackContext.Provider>;
}

/** The session of a provider, which follows its props. */
interface Owner {
  readonly ringback: Ringback;
  /** Sets the credentials of the next sign-in. A session that was refused tries them at once. */
  identify(next: Credentials | null): void;
  /** Starts the session at a service. Returns the function that stops it. */
  open(next: Service): () => void;
}

function createOwner({ load, logger, ...initial }: Omit<RingbackProviderProps, 'children' | 'user'>): Owner {
  let service: Service = initial;
  let credentials: Credentials | null = null;
  const ringback = createRingback({
    ...browserPorts(),
    load,
    ...(logger && { logger }),
    service: () => service,
    credentials: () => credentials,
  });
  return {
    ringback,
    identify(next) {
      credentials = next;
      if (ringback.connection.get() === 'failed') void ringback.start();
    },
    open(next) {
      service = next;
      void ringback.start();
      return ringback.stop;
    },
  };
}
