import { RefreshCw, TriangleAlert } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { m } from '../../core/i18n/generated/messages.js';
import { Button } from '../../../ui/kit/button.tsx';
import { StateCard } from '../../../ui/kit/state-card.tsx';

interface ScreenErrorBoundaryProps {
  /** Whether a `<main>` encloses it already. */
  framed: boolean;
  children: ReactNode;
}

/** Shows a message when a screen fails, or when a new release has removed its code. Calls above it continue. */
export class ScreenErrorBoundary extends Component<ScreenErrorBoundaryProps, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    const card = (
      <StateCard level={1} icon={<TriangleAlert />} title={m.broken_title()} hint={m.broken_hint()} role="alert">
        <Button look="primary" onClick={() => location.reload()}>
          <RefreshCw aria-hidden="true" size={18} />
          {m.broken_action()}
        </Button>
      </StateCard>
    );
    return this.props.framed ? card : <main>{card}</main>;
  }
}
