import { useAppSelector } from '../../store/hooks.ts'
import { useRegistry } from '../../registry/registry.ts'
import type { RouteView } from '../../registry/feature.ts'
import type { Routes } from '../../store/window/kinds.ts'
import { Region } from '../Region.tsx'
import styles from './Frame.module.css'

type Props = { readonly onBack?: () => void }

/** The main sheet: the view of the current route. Another route is another view, even of the same kind. */
export function MainSheet({ onBack }: Props) {
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
