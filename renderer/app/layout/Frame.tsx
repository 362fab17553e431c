import { useState, type CSSProperties, useEffect } from 'react'
import { Rail, Sidebar } from '../../features/sidebar/index.ts'
import { updateSettings } from '../../features/settings/index.ts'
import { useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { useBreakpoint } from '../../lib/page/environment.ts'
import { useAppDispatch, useAppSelector, useSetting, useHost } from '../../store/hooks.ts'
import { listShown, sidebarToggledByHand, viewLeft } from '../../store/window/ui.ts'
import { Region } from '../Region.tsx'
import { Body } from './Body.tsx'
import { ResizeHandle } from './ResizeHandle.tsx'
import { TitleStrip, WindowButtons } from './TitleStrip.tsx'
import styles from './Frame.module.css'
import strip from './TitleStrip.module.css'
import type { RouteView } from '../../registry/feature.ts'
import { useRegistry } from '../../registry/registry.ts'
import { ownsSidebar, type Routes } from '../../store/window/kinds.ts'

const RAIL_WIDTH = 64

/** Scales with the text size, so that names are not cut, up to a third of the window. */
const sidebarCss = (px: number): string => `max(${px}px, min(${px / 16}rem, 33vw))`

/** The window of a signed-in user: title strip, sidebar or rail, main sheet, side panel. */
export function Frame() {
  useWarm()
  const breakpoint = useBreakpoint()
  const dispatch = useAppDispatch()
  const sidebarWidth = useSetting('sidebarWidth')
  const route = useAppSelector((state) => state.ui.route)
  const level = useAppSelector((state) => state.ui.narrowLevel)
  const { isRail, toggle } = useSidebar()
  const [sidebarDrag, setSidebarDrag] = useState<number>()
  const narrow = breakpoint === 'narrow'
  const widths = {
    '--sidebar-now': isRail ? `${RAIL_WIDTH}px` : sidebarCss(sidebarDrag ?? sidebarWidth),
  } as CSSProperties
  const { view, ...props } = route
  const { Nav } = useRegistry().routes[view] as RouteView<keyof Routes>
  const showList = !narrow || level === 'list'
  const showMain = !narrow || level === 'main'
  return (
    <div className={cx(styles['frame'], narrow && styles['narrow'])} style={widths}>
      <TitleStrip
        signedIn
        compact={isRail || narrow}
        sidebar={narrow || ownsSidebar(view) ? undefined : { isOpen: !isRail, onToggle: toggle }}
      />
      {showList ? (
        <div className={styles['side']}>
          <Region where="sidebar">
            {Nav !== undefined ? (
              <Nav {...props} onBack={() => dispatch(viewLeft())} />
            ) : isRail ? (
              <Rail />
            ) : (
              <Sidebar />
            )}
          </Region>
          {isRail || narrow ? null : <SidebarHandle onPreview={setSidebarDrag} />}
        </div>
      ) : null}
      {showMain ? <Body onBack={narrow ? () => dispatch(listShown()) : undefined} /> : null}
    </div>
  )
}

/** Whether the sidebar is full or a rail: decided by the window's width, the open panel, the setting, or the toggle until the width changes. */
function useSidebar(): { readonly isRail: boolean; readonly toggle: () => void } {
  const breakpoint = useBreakpoint()
  const dispatch = useAppDispatch()
  const sidebarCollapsed = useSetting('sidebarCollapsed')
  const byHand = useAppSelector((state) => state.ui.sidebarOpenByHand)
  const hasPanel = useAppSelector((state) => state.ui.panel !== undefined)
  const forced = breakpoint === 'small' || (breakpoint === 'medium' && hasPanel)
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
const AFTER_MS = 1_500

/** Preloads the code of views that open by a shortcut. */
function useWarm(): void {
  const { warm } = useRegistry()
  useEffect(() => {
    const timer = setTimeout(warm, AFTER_MS)
    return () => clearTimeout(timer)
  }, [warm])
}
