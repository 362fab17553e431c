import { type ReactNode, Component, type ComponentType, type ErrorInfo } from 'react'
import { UntilLoaded } from '../features/connection/index.ts'
import { useTexts } from '../i18n/index.ts'
import { useEngine } from '../store/hooks.ts'
import { Button } from '../ui/Button/Button.tsx'
import { Empty } from '../ui/View/Empty.tsx'
import { forgetFailedParts } from '../lib/page/part.tsx'

type Props = {
  readonly where: string
  /** Remounts the region when it changes. */
  readonly resetKey?: string
  readonly children: ReactNode
}

/** A part of the window with its own error boundary and its own fallback while its code is loading. */
export function Region({ where, resetKey = where, children }: Props) {
  const engine = useEngine()
  const log = (at: string, message: string): void => {
    engine.app.logFailure({ where: at, message }).catch(() => {
      // The log is unreachable too; the boundary already shows the error on screen.
    })
  }
  return (
    <ErrorBoundary key={resetKey} where={where} onFailure={log} fallback={Broken}>
      <UntilLoaded>{children}</UntilLoaded>
    </ErrorBoundary>
  )
}

function Broken({ onRetry }: { readonly onRetry: () => void }) {
  const t = useTexts('common')
  return (
    <Empty scene="chat" title={t('broken.title')} action={<Button onClick={onRetry}>{t('tryAgain')}</Button>}>
      {t('broken.text')}
    </Empty>
  )
}

type ErrorBoundaryProps = {
  /** Name of the region, for the local log. */
  readonly where: string
  readonly onFailure: (where: string, message: string) => void
  readonly fallback: ComponentType<{ readonly onRetry: () => void }>
  readonly children: ReactNode
}

type State = { readonly failed: boolean }

/** A render error is confined to its region; the rest of the window keeps working. A new `key` retries. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
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
