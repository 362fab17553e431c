import { useRef, useState, type CSSProperties, type ReactNode, type RefObject } from 'react'
import { updateSettings } from '../../features/settings/index.ts'
import { useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { useBreakpoint } from '../../lib/page/use-breakpoint.ts'
import { useAppDispatch, useAppSelector, useSetting } from '../../store/hooks.ts'
import { splitEntered } from '../../store/window/ui.ts'
import { DropHalf } from './DropHalf.tsx'
import { MainSheet } from './MainSheet.tsx'
import { ResizeHandle } from './ResizeHandle.tsx'
import { SidePanel } from './SidePanel.tsx'
import styles from './Frame.module.css'

type Props = {
  /** In a single column: goes back to the list. */
  readonly onBack?: (() => void) | undefined
}

/** The main sheet, and beside it a panel or the other half. Where only one fits, the one in use covers the other. */
export function Body({ onBack }: Props) {
  const breakpoint = useBreakpoint()
  const covers = breakpoint === 'small' || breakpoint === 'narrow'
  const kind = useAppSelector(({ ui }) => (ui.route.view === 'settings' ? undefined : ui.panel?.kind))
  const inSplit = useAppSelector(({ ui }) => ui.inSplit === true)
  const isHalf = kind === 'channel'
  const panelWidth = useSetting('panelWidth')
  const splitShare = useSetting('splitShare')
  const [drag, setDrag] = useState<number>()
  const hasPanel = kind !== undefined && !(covers && isHalf && !inSplit)
  const isBeside = hasPanel && !covers
  const body = useRef<HTMLDivElement>(null)
  const style = isHalf
    ? { '--split-now': `${drag ?? splitShare}%` }
    : kind === undefined
      ? {}
      : { '--panel-now': `${drag ?? panelWidth}px` }
  return (
    <div
      ref={body}
      className={cx(styles['body'], isBeside && styles[isHalf ? 'withHalf' : 'withPanel'])}
      style={style as CSSProperties}
    >
      {hasPanel && covers ? null : (
        <Half on={false}>
          <MainSheet onBack={onBack} />
        </Half>
      )}
      {isBeside ? isHalf ? <HalfHandle body={body} onPreview={setDrag} /> : <PanelHandle onPreview={setDrag} /> : null}
      {hasPanel ? (
        <Half on={isHalf}>
          <SidePanel />
        </Half>
      ) : null}
      {covers ? null : <DropHalf />}
    </div>
  )
}

/** Records which half was focused last: reading and shortcuts apply to that half. */
function Half({ on, children }: { readonly on: boolean; readonly children: ReactNode }) {
  const dispatch = useAppDispatch()
  const isPanel = useAppSelector(({ ui }) => ui.panel !== undefined && ui.panel.kind !== 'channel')
  const enter = (): void => {
    // A panel over the other half belongs to one of the two, so it does not change which is in use.
    if (on || !isPanel) dispatch(splitEntered({ on }))
  }
  return (
    <div className={styles['half']} role="presentation" onFocusCapture={enter} onPointerDownCapture={enter}>
      {children}
    </div>
  )
}

type HandleProps = { readonly onPreview: (value: number | undefined) => void }

function PanelHandle({ onPreview }: HandleProps) {
  const t = useTexts('common')
  const dispatch = useAppDispatch()
  const panelWidth = useSetting('panelWidth')
  return (
    <ResizeHandle
      label={t('resize.panel')}
      value={panelWidth}
      min={340}
      max={560}
      initial={392}
      direction={-1}
      onPreview={onPreview}
      onChange={(width) => void dispatch(updateSettings({ panelWidth: width }))}
    />
  )
}

/** The width of the other half is a percentage, so that it holds in a window of another size. */
function HalfHandle({ body, onPreview }: HandleProps & { readonly body: RefObject<HTMLElement | null> }) {
  const t = useTexts('windows')
  const dispatch = useAppDispatch()
  const splitShare = useSetting('splitShare')
  return (
    <ResizeHandle
      label={t('half.width')}
      value={splitShare}
      min={30}
      max={70}
      initial={50}
      direction={-1}
      keyStep={2}
      unitOf={() => (body.current?.clientWidth ?? 0) / 100}
      onPreview={onPreview}
      onChange={(share) => void dispatch(updateSettings({ splitShare: share }))}
    />
  )
}
