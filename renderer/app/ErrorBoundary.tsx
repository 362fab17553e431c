import { Component, type ErrorInfo, type ReactNode } from 'react'

type Props = {
  /** Where it happened, for the local log. */
  readonly where: string
  readonly onFailure: (where: string, message: string) => void
  readonly fallback: (retry: () => void) => ReactNode
  /** Another value means other content: the region tries again. */
  readonly resetKey?: string
  readonly children: ReactNode
}

type State = { readonly failed: boolean }

/** A failure while drawing stays in its region; the rest of the window goes on. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: false }

  static getDerivedStateFromError(): State {
    return { failed: true }
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    this.props.onFailure(
      this.props.where,
      `${error.name}: ${error.message} ${firstFrames(info.componentStack)}`.slice(0, 480),
    )
  }

  override componentDidUpdate(before: Props): void {
    if (before.resetKey !== this.props.resetKey && this.state.failed) this.setState({ failed: false })
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return this.props.fallback(() => this.setState({ failed: false }))
  }
}

const firstFrames = (stack: string | null | undefined): string => (stack ?? '').split('\n').slice(1, 4).join(' ').trim()
