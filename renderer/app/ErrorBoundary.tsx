import { Component, type ComponentType, type ErrorInfo, type ReactNode } from 'react'
import { forgetFailedParts } from '../lib/page/part.tsx'

type Props = {
  /** Name of the region, for the local log. */
  readonly where: string
  readonly onFailure: (where: string, message: string) => void
  readonly fallback: ComponentType<{ readonly onRetry: () => void }>
  readonly children: ReactNode
}

type State = { readonly failed: boolean }

/** A render error is confined to its region; the rest of the window keeps working. A new `key` retries. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: false }

  static getDerivedStateFromError(): State {
    return { failed: true }
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    const message = `${error.name}: ${error.message} ${firstFrames(info.componentStack)}`
    this.props.onFailure(this.props.where, message.slice(0, 480))
  }

  override componentWillUnmount(): void {
    if (this.state.failed) forgetFailedParts()
  }

  #retry(): void {
    forgetFailedParts()
    this.setState({ failed: false })
  }

  override render(): ReactNode {
    const { fallback: Fallback, children } = this.props
    return this.state.failed ? <Fallback onRetry={() => this.#retry()} /> : children
  }
}

const firstFrames = (stack: string | null | undefined): string => (stack ?? '').split('\n').slice(1, 4).join(' ').trim()
