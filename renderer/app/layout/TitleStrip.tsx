import { memo } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { ConnectionChip } from '../../features/connection/index.ts'
import { OutboxChip } from '../../features/outbox/index.ts'
import { ImportChip } from '../../features/manage/index.ts'
import { LiveChip } from '../../features/locations/index.ts'
import { RecordingChip } from '../../features/settings/index.ts'
import { DemoBar, SharingChip, WorkspaceMenu } from '../../features/session/index.ts'
import { useAppDispatch, useAppSelector, useHost, useAppServices } from '../../store/hooks.ts'
import { useShortcut } from '../keys/shortcuts.tsx'
import { wentBack, wentForward } from '../../store/window/ui.ts'
import { IconButton } from '../../ui/Button/Button.tsx'
import styles from './TitleStrip.module.css'

type Props = {
  /** Absent on the start screen and where the sidebar cannot be toggled. */
  readonly sidebar?: { readonly isOpen: boolean; readonly onToggle: () => void }
  readonly signedIn: boolean
  readonly compact: boolean
  /** One column: its views have one Back, which goes a level up, so the strip has none. */
  readonly narrow?: boolean
}

/** The strip on top: drag region, workspace, sidebar, history, connection, window buttons. */
export function TitleStrip({ sidebar, signedIn, compact, narrow = false }: Props) {
  const { titleBar } = useHost()
  return (
    <header className={cx(styles['strip'], titleBar === 'macos' && styles['mac'])}>
      <div className={cx(styles['left'], compact && styles['leftCompact'])}>{signedIn ? <WorkspaceMenu /> : null}</div>
      <div className={styles['middle']}>{signedIn && !narrow ? <Navigation sidebar={sidebar} /> : null}</div>
      {signedIn ? <DemoBar /> : null}
      <Chips signedIn={signedIn} />
      <WindowButtons />
    </header>
  )
}

/** Not rendered again with the strip, which changes with every view. */
const Chips = memo(function Chips({ signedIn }: Pick<Props, 'signedIn'>) {
  return (
    <div className={styles['right']}>
      {signedIn ? (
        <>
          <RecordingChip />
          <ImportChip />
          <SharingChip />
          <LiveChip />
          <ConnectionChip />
          <OutboxChip />
        </>
      ) : null}
    </div>
  )
})

function Navigation({ sidebar }: Pick<Props, 'sidebar'>) {
  const t = useTexts('common')
  const dispatch = useAppDispatch()
  const sidebarKeys = useShortcut('sidebar')
  const backKeys = useShortcut('back')
  const forwardKeys = useShortcut('forward')
  const canGoBack = useAppSelector((state) => state.ui.back.length > 0)
  const canGoForward = useAppSelector((state) => state.ui.forward.length > 0)
  return (
    <>
      {sidebar === undefined ? null : (
        <IconButton
          icon="sidebar"
          iconSize={17}
          onApp
          label={sidebar.isOpen ? t('sidebar.hide') : t('sidebar.show')}
          keys={sidebarKeys}
          onClick={sidebar.onToggle}
        />
      )}
      <IconButton
        icon="arrow-left"
        iconSize={17}
        onApp
        label={t('back')}
        keys={backKeys}
        aria-disabled={!canGoBack}
        onClick={() => dispatch(wentBack())}
      />
      <IconButton
        icon="arrow-right"
        iconSize={17}
        onApp
        label={t('forward')}
        keys={forwardKeys}
        aria-disabled={!canGoForward}
        onClick={() => dispatch(wentForward())}
      />
    </>
  )
}

/**
 * On Linux Parlor draws the buttons; macOS and Windows draw theirs over the strip, which leaves room for them; a browser window
 * has its own frame.
 */
export function WindowButtons() {
  const t = useTexts('common')
  const { titleBar } = useHost()
  const { bridge } = useAppServices()
  const controls = bridge.windowControls
  if (titleBar === 'windows') return <span className={styles['overlayPlace']} aria-hidden="true" />
  if (titleBar !== 'linux' || controls === undefined) return null
  return (
    <div className={styles['buttons']}>
      <button type="button" aria-label={t('window.minimize')} onClick={() => controls.minimize()}>
        <svg viewBox="0 0 10 10" aria-hidden="true">
          <path d="M1.5 5h7" />
        </svg>
      </button>
      <button type="button" aria-label={t('window.maximize')} onClick={() => controls.toggleMaximize()}>
        <svg viewBox="0 0 10 10" aria-hidden="true">
          <path d="M1.5 1.5h7v7h-7z" />
        </svg>
      </button>
      <button type="button" aria-label={t('window.close')} onClick={() => controls.close()}>
        <svg viewBox="0 0 10 10" aria-hidden="true">
          <path d="m1.5 1.5 7 7M8.5 1.5l-7 7" />
        </svg>
      </button>
    </div>
  )
}
