import { PhoneOff, WifiOff } from 'lucide-react';
import { m } from '../../core/i18n/generated/messages.js';
import { useIsOnline } from '../../core/hooks/areas.ts';
import { useConnection } from '../../../react/index.ts';

interface ConnectionLineProps {
  className: string | undefined;
  /** What the user cannot do on this screen without a network. */
  offlineText: string;
}

/** Shows that the network or the calling service is unavailable. Renders nothing while both are available. */
export function ConnectionLine({ className, offlineText }: ConnectionLineProps) {
  const isOnline = useIsOnline();
  const areCallsDown = useConnection().state === 'failed';
  if (isOnline && !areCallsDown) return null;
  const Icon = isOnline ? PhoneOff : WifiOff;
  return (
    <p role="status" className={className}>
      <Icon aria-hidden="true" size={16} />
      {isOnline ? m.calls_down() : offlineText}
    </p>
  );
}
