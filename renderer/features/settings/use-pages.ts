import { shallowEqual } from 'react-redux'
import { useRegistry, type RegisteredPage } from '../../registry/registry.ts'
import { useAppSelector } from '../../store/hooks.ts'

/** The pages that there are, in the order of the list. */
export function usePages(): readonly RegisteredPage[] {
  const { settings } = useRegistry()
  return useAppSelector((state) => settings.filter(({ shown }) => shown?.(state) !== false), shallowEqual)
}
