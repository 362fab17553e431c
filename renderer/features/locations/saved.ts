import { MAX_SAVED_PLACES, type PlaceMemory, type SavedPlace } from '#shared/domain/place.ts'
import { useAppDispatch, useSetting } from '../../store/hooks.ts'
import { updateSettings } from '../settings/index.ts'

/** The viewer's named places, and functions to change them. Stored on this device with the settings. */
export function useSavedPlaces(): {
  readonly places: readonly SavedPlace[]
  /** Replaces a place of the same name. */
  readonly save: (place: SavedPlace) => void
  readonly forget: (name: string) => void
} {
  const remember = useRemember()
  const { saved } = useSetting('places')
  const without = (name: string): readonly SavedPlace[] => saved.filter((place) => place.name !== name)
  return {
    places: saved,
    save: (place) => remember({ saved: [place, ...without(place.name)].slice(0, MAX_SAVED_PLACES) }),
    forget: (name) => remember({ saved: without(name) }),
  }
}

/** Updates the stored places. */
export function useRemember(): (change: Partial<PlaceMemory>) => void {
  const dispatch = useAppDispatch()
  const places = useSetting('places')
  return (change) => void dispatch(updateSettings({ places: { ...places, ...change } }))
}
