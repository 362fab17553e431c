import {
  useState,
  type CSSProperties,
  useEffect,
  useRef,
  type ReactNode,
  type RefObject,
  type DragEvent,
  type KeyboardEvent,
  type PointerEvent,
  Component,
} from 'react'
import { asCid } from '#shared/lib/brand.ts'
import { Rail, Sidebar, channelTitle } from '../../features/sidebar/index.ts'
import { updateSettings } from '../../features/settings/index.ts'
import { formatsFor, languageNow, useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { useBreakpoint } from '../../lib/page/environment.ts'
import { useAppDispatch, useAppSelector, useAppStore, useIsSqueezed, useSetting, useHost } from '../../store/hooks.ts'
import { listShown, sidebarToggledByHand, viewLeft, splitEntered, halfEntered } from '../../store/window/ui.ts'
import { type RouteView, type PanelView, useRegistry } from '../../registry/feature.ts'
import { ownsSidebar, type Routes, type Panel, type Panels } from '../../store/window/kinds.ts'
import { openBeside } from '../../features/windows/index.ts'
import { CONVERSATION_TYPE, draggedConversation } from '../../lib/open-target.ts'
import { useReturnFocus } from '../../lib/page/focus.ts'
import { useMenu, type MenuItem } from '../../ui/Menu/Menu.tsx'
import { Region } from '../Region.tsx'
import { TitleStrip, WindowButtons } from './TitleStrip.tsx'
import styles from './Frame.module.css'
import strip from './TitleStrip.module.css'

const RAIL_WIDTH = 64

/** Scales with the text size, so that names are not cut, up to a third of the window. */
const sidebarCss = (px: number): string => `max(${px}px, min(${px / 16}rem, 33vw))`

/** The window of a signed-in user: title strip, sidebar or rail, main sheet, side panel. */
export function Frame() {
  useWarm()
  const breakpoint = useBreakpoint()
  const dispatch = useAppDispatch()
  const sidebarWidth = useSetting('sidebarWidth')
  const view = useAppSelector((state) => state.ui.route.view)
  const level = useAppSelector((state) => state.ui.narrowLevel)
  const { isRail, toggle } = useSidebar()
  const [sidebarDrag, setSidebarDrag] = useState<number>()
  const narrow = breakpoint === 'narrow'
  const widths = {
    '--sidebar-now': isRail ? `${RAIL_WIDTH}px` : sidebarCss(sidebarDrag ?? sidebarWidth),
  } as CSSProperties
  const { Nav } = useRegistry().routes[view] as RouteView<keyof Routes>
  const showList = !narrow || level === 'list'
  const showMain = !narrow || level === 'main'
  return (
    <div className={cx(styles['frame'], narrow && styles['narrow'])} style={widths}>
      <TitleStrip
        signedIn
        compact={isRail || narrow}
        narrow={narrow}
        sidebar={narrow || ownsSidebar(view) ? undefined : { isOpen: !isRail, onToggle: toggle }}
      />
      {showList ? (
        <div className={styles['side']}>
          <Region where="sidebar">{Nav !== undefined ? <OwnPages of={Nav} /> : isRail ? <Rail /> : <Sidebar />}</Region>
          {isRail || narrow ? null : <SidebarHandle onPreview={setSidebarDrag} />}
        </div>
      ) : null}
      {showMain ? <Body onBack={narrow ? () => dispatch(listShown()) : undefined} /> : null}
    </div>
  )
}

/** The pages of a view, in place of the sidebar. Apart from the frame, which is not rendered again for another conversation. */
function OwnPages({ of: Nav }: { readonly of: NonNullable<RouteView<keyof Routes>['Nav']> }) {
  const dispatch = useAppDispatch()
  const { view: _view, ...props } = useAppSelector((state) => state.ui.route)
  return <Nav {...props} onBack={() => dispatch(viewLeft())} />
}

/** Whether the sidebar is full or a rail: decided by the window's width, the open panel, the setting, or the toggle until the width changes. */
function useSidebar(): { readonly isRail: boolean; readonly toggle: () => void } {
  const breakpoint = useBreakpoint()
  const dispatch = useAppDispatch()
  const sidebarCollapsed = useSetting('sidebarCollapsed')
  const byHand = useAppSelector((state) => state.ui.sidebarOpenByHand)
  const forced = useIsSqueezed()
  const hasOwnPages = useAppSelector((state) => ownsSidebar(state.ui.route.view))
  const isRail = breakpoint !== 'narrow' && !hasOwnPages && (forced ? byHand !== true : sidebarCollapsed)
  const toggle = (): void => {
    if (forced) dispatch(sidebarToggledByHand({ open: isRail ? true : undefined }))
    else void dispatch(updateSettings({ sidebarCollapsed: !sidebarCollapsed }))
  }
  return { isRail, toggle }
}

function SidebarHandle({ onPreview }: { readonly onPreview: (width: number | undefined) => void }) {
  const t = useTexts('common')
  const dispatch = useAppDispatch()
  const sidebarWidth = useSetting('sidebarWidth')
  return (
    <ResizeHandle
      label={t('resize.sidebar')}
      value={sidebarWidth}
      min={220}
      max={360}
      initial={264}
      direction={1}
      scale={useSetting('textScale') / 100}
      onPreview={onPreview}
      onChange={(width) => void dispatch(updateSettings({ sidebarWidth: width }))}
    />
  )
}

/** The window of one channel or thread: title strip, main sheet and side panel. */
export function OwnFrame() {
  const { titleBar } = useHost()
  return (
    <div className={styles['own']}>
      {titleBar === 'none' ? null : (
        <header className={cx(strip['strip'], titleBar === 'macos' && strip['mac'])}>
          <WindowButtons />
        </header>
      )}
      <Body />
    </div>
  )
}

/** After the first screen is rendered, so that it is not delayed. */
const FIRST_AFTER_MS = 300
const AFTER_MS = 1_500

/** Preloads the code of menus, suggestions, search and the switcher, and `Intl`, and then the code of other views. */
function useWarm(): void {
  const { warmFirst, warm } = useRegistry()
  useEffect(() => {
    const first = (): void => {
      warmFirst()
      formatsFor(languageNow()).remember()
    }
    const timers = [setTimeout(first, FIRST_AFTER_MS), setTimeout(warm, AFTER_MS)]
    return () => timers.forEach((timer) => clearTimeout(timer))
  }, [warmFirst, warm])
}

type Props = {
  /** In a single column: goes back to the list. */
  readonly onBack?: () => void
}

/** The main sheet, and beside it a panel or the other half. Where only one fits, the one in use covers the other. */
function Body({ onBack }: Props) {
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
  const store = useAppStore()
  const enter = (): void => {
    const { ui } = store.getState()
    // A panel over the other half belongs to one of the two, so it does not change which is in use.
    if (!on && ui.panel !== undefined && ui.panel.kind !== 'channel') return
    if (halfEntered(ui, on) !== ui) store.dispatch(splitEntered({ on }))
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
  const sheet = useRef<HTMLDivElement>(null)
  const key = JSON.stringify({ view, ...props })
  return (
    <div ref={sheet} className={styles['sheet']}>
      <FocusLeaver of={key} place={sheet} />
      <Region where={view} resetKey={key}>
        <View {...props} onBack={onBack} />
      </Region>
    </div>
  )
}

type LeaverProps = { readonly of: string; readonly place: RefObject<HTMLElement | null> }

/**
 * Takes the focus out of a sheet that is about to be removed while the page is still laid out: Chromium lays out a page
 * that has changed once more before it removes the element with focus. Only a class is called before React changes the
 * page.
 */
class FocusLeaver extends Component<LeaverProps> {
  override getSnapshotBeforeUpdate(before: LeaverProps): null {
    const { activeElement } = document
    const isInside = activeElement instanceof HTMLElement && this.props.place.current?.contains(activeElement) === true
    if (before.of !== this.props.of && isInside) activeElement.blur()
    return null
  }

  override componentDidUpdate(): void {
    // React asks for it beside the other.
  }

  override render(): null {
    return null
  }
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

type ResizeHandleProps = {
  readonly label: string
  readonly value: number
  readonly min: number
  readonly max: number
  readonly initial: number
  /** 1 when the part grows as the pointer moves towards the inline end, -1 the other way. */
  readonly direction: 1 | -1
  /** Pixels on screen for one unit of `value`. */
  readonly scale?: number
  /** Pixels of one step of the value; absent: 1. */
  readonly unitOf?: () => number
  readonly keyStep?: number
  /** The value while dragging. */
  readonly onPreview: (value: number | undefined) => void
  /** The value when the drag ends. */
  readonly onChange: (value: number) => void
}

const KEY_STEP = 16

/** What one press in the menu of a handle changes, in steps of a key. */
const MENU_STEPS = 3

/** The gap between two sheets: dragged, moved by the arrow keys, or by a menu that a press or Enter opens. */
function ResizeHandle({ label, value, min, max, initial, direction, onPreview, onChange, ...more }: ResizeHandleProps) {
  const { unitOf = () => 1, keyStep = KEY_STEP } = more
  const t = useTexts('common')
  const [drag, setDrag] = useState<{ x: number; from: number; now: number }>()
  const step = keyStep * MENU_STEPS
  const item = (id: 'wider' | 'narrower' | 'default', to: number): MenuItem => ({
    id,
    label: t(`resize.${id}`),
    onSelect: () => onChange(clamp(to)),
  })
  const menu = useMenu({
    label,
    items: () => [item('wider', value + step), item('narrower', value - step), item('default', initial)],
  })
  const clamp = (width: number): number => Math.round(Math.min(max, Math.max(min, width)))
  const onPointerDown = (event: PointerEvent): void => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    setDrag({ x: event.clientX, from: value, now: value })
  }
  const onPointerMove = (event: PointerEvent): void => {
    if (drag === undefined) return
    const now = clamp(drag.from + ((event.clientX - drag.x) / Math.max(1, unitOf())) * direction)
    setDrag({ ...drag, now })
    onPreview(now)
  }
  const onPointerUp = (event: PointerEvent): void => {
    if (drag !== undefined && drag.now !== drag.from) onChange(drag.now)
    else if (drag !== undefined && event.type === 'pointerup')
      menu.openAt(new DOMRect(event.clientX, event.clientY, 0, 0))
    setDrag(undefined)
    onPreview(undefined)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') {
      event.preventDefault()
      menu.openAt(event.currentTarget)
      return
    }
    const steps = { ArrowRight: keyStep, ArrowLeft: -keyStep }[event.key]
    const target =
      event.key === 'Home'
        ? min
        : event.key === 'End'
          ? max
          : steps === undefined
            ? undefined
            : value + steps * direction
    if (target === undefined) return
    event.preventDefault()
    onChange(clamp(target))
  }
  return (
    <div role="region" aria-label={label} className={styles['handlePlace']}>
      {/* A focusable separator is a widget: the WAI-ARIA window splitter pattern. */}
      <div
        role="separator"
        tabIndex={0}
        aria-label={label}
        aria-orientation="vertical"
        aria-valuemin={min}
        aria-valuemax={max}
        aria-valuenow={value}
        className={styles['handle']}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerUp}
        onKeyDown={onKeyDown}
      />
      {menu.menu}
    </div>
  )
}
