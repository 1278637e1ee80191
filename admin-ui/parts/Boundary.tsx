import { Alert, Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';

type Props = {
  children: ReactNode;
  /** The subject; a new one clears the failure. */
  of?: string;
};
type State = { error: unknown };

export class Boundary extends Component<Props, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override componentDidUpdate({ of }: Props) {
    if (of === this.props.of || this.state.error === null) return;
    this.setState({ error: null });
  }

  override render() {
    const { error } = this.state;
    return error === null ? this.props.children : <Broken error={error} />;
  }
}

export function Broken({ error }: State) {
  return (
    <Alert
      role="alert"
      variant="outline"
      color="red"
      title="This part of the page could not be shown."
    >
      <p className="tight">Nothing was lost on the board.</p>
      <details>
        <summary>Details</summary>
        <code className="break">{String(error)}</code>
      </details>
      <Button onClick={() => location.reload()}>Reload</Button>
    </Alert>
  );
}
