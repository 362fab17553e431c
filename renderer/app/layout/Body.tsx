import { useRef, useState, type CSSProperties, type ReactNode, type RefObject, useEffect, type DragEvent } from 'react'
import { updateSettings } from '../../features/settings/index.ts'
import { useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { useBreakpoint } from '../../lib/page/environment.ts'
import { useAppDispatch, useAppSelector, useSetting } from '../../store/hooks.ts'
import { splitEntered } from '../../store/window/ui.ts'
import { ResizeHandle } from './ResizeHandle.tsx'
import { asCid } from '#shared/lib/brand.ts'
import { openBeside } from '../../features/windows/index.ts'
import { CONVERSATION_TYPE, draggedConversation } from '../../lib/open-target.ts'
import styles from './Frame.module.css'
import { useRegistry } from '../../registry/registry.ts'
import type { RouteView, PanelView } from '../../registry/feature.ts'
import { ownsSidebar, type Routes, type Panel, type Panels } from '../../store/window/kinds.ts'
import { Region } from '../Region.tsx'
import { channelTitle } from '../../features/sidebar/index.ts'
import { useReturnFocus } from '../../lib/page/focus.ts'

type Props = {
  /** In a single column: goes back to the list. */
  readonly onBack?: () => void
}

/** The main sheet, and beside it a panel or the other half. Where only one fits, the one in use covers the other. */
export function Body({ onBack }: Props) {
  const breakpoint = useBreakpoint()
  const covers = breakpoint === 'small' || breakpoint === 'narrow'
  const kind = useAppSelector(({ ui }) => (ownsSidebar(ui.route.view) ? undefined : ui.panel?.kind))
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

/** While a conversation is dragged: the right half, as a drop target. */
function DropHalf() {
  const t = useTexts('windows')
  const dispatch = useAppDispatch()
  const isChannel = useAppSelector(({ ui }) => ui.route.view === 'channel')
  const [isDragged, setDragged] = useState(false)
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const begin = (event: globalThis.DragEvent): void => {
      if (event.dataTransfer?.types.includes(CONVERSATION_TYPE) === true) setDragged(true)
    }
    const end = (): void => {
      setDragged(false)
      setOver(false)
    }
    window.addEventListener('dragstart', begin)
    window.addEventListener('dragend', end)
    window.addEventListener('drop', end)
    return () => {
      window.removeEventListener('dragstart', begin)
      window.removeEventListener('dragend', end)
      window.removeEventListener('drop', end)
    }
  }, [])
  if (!isDragged || !isChannel) return null
  const hold = (event: DragEvent<HTMLElement>): void => {
    event.preventDefault()
    event.dataTransfer.dropEffect = 'move'
    setOver(true)
  }
  const drop = (event: DragEvent<HTMLElement>): void => {
    const cid = draggedConversation(event.dataTransfer)
    if (cid === undefined) return
    event.preventDefault()
    dispatch(openBeside({ cid: asCid(cid) }))
  }
  return (
    <div
      role="presentation"
      className={styles['dropHalf']}
      data-over={isOver || undefined}
      onDragOver={hold}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {t('half.drop')}
    </div>
  )
}

type MainSheetProps = { readonly onBack?: () => void }

/** The main sheet: the view of the current route. Another route is another view, even of the same kind. */
function MainSheet({ onBack }: MainSheetProps) {
  const { view, ...props } = useAppSelector((state) => state.ui.route)
  const { component: View } = useRegistry().routes[view] as RouteView<keyof Routes>
  return (
    <div className={styles['sheet']}>
      <Region where={view} resetKey={JSON.stringify({ view, ...props })}>
        <View {...props} onBack={onBack} />
      </Region>
    </div>
  )
}

/** The sheet beside the conversation: one panel at a time. */
function SidePanel() {
  const t = useTexts('common')
  const panel = useAppSelector((state) => state.ui.panel)
  const title = useAppSelector((state) => channelTitle(state, panel?.kind === 'channel' ? panel.cid : ''))
  useReturnFocus()
  if (panel === undefined) return null
  return (
    <aside
      className={styles['panel']}
      aria-label={panel.kind === 'channel' ? title : t(`panels.${panel.kind}`)}
      data-region="panel"
      // The other half keeps the focus: a panel or dialog that closes meanwhile does not restore an older focus.
      data-returns-focus={panel.kind === 'channel' ? undefined : ''}
    >
      <Content panel={panel} />
    </aside>
  )
}

function Content({ panel: { kind, ...props } }: { readonly panel: Panel }) {
  const { component: View, keyOf = JSON.stringify } = useRegistry().panels[kind] as PanelView<keyof Panels>
  return (
    <Region where={`panel ${kind}`} resetKey={`${kind} ${keyOf(props)}`}>
      <View {...props} />
    </Region>
  )
}
