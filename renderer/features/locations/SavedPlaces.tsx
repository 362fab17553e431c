import { isBlank } from '#shared/lib/clean-text.ts'
import { useState } from 'react'
import { PLACE_NAME_LENGTH } from '#shared/domain/place.ts'
import { useTexts } from '../../i18n/index.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { TextField } from '../../ui/Field/TextField.tsx'
import { useSavedPlaces } from './saved.ts'
import type { PlaceForm } from './use-place-form.ts'
import styles from './Location.module.css'

/** Ref callback: focuses the field when it appears. */
const focused = (field: HTMLInputElement | null): void => field?.focus()

/** Named places, stored on this device: a click moves the pin there. */
export function SavedPlaces({ form }: { readonly form: PlaceForm }) {
  const t = useTexts('locations')
  const { places, save: savePlace, forget } = useSavedPlaces()
  const [name, setName] = useState<string>()
  const save = (): void => {
    if (name === undefined || isBlank(name)) return
    savePlace({ name: name.trim(), ...form.pin })
    setName(undefined)
  }
  return (
    <div className={styles['saved']}>
      {places.length === 0 ? null : (
        <ul className={styles['places']} aria-label={t('places')}>
          {places.map((place) => (
            <li key={place.name}>
              <Button size="small" icon="map-pin" onClick={() => form.moveTo(place, { span: Math.min(form.span, 4) })}>
                {place.name}
              </Button>
              <IconButton
                size="tiny"
                icon="x"
                label={t('forget', { name: place.name })}
                onClick={() => forget(place.name)}
              />
            </li>
          ))}
        </ul>
      )}
      {name === undefined ? (
        <Button
          size="small"
          variant="quiet"
          icon="bookmark"
          aria-disabled={!form.chosen}
          onClick={() => form.chosen && setName('')}
        >
          {t('savePlace')}
        </Button>
      ) : (
        <div className={styles['naming']}>
          <TextField
            label={t('placeName')}
            value={name}
            maxLength={PLACE_NAME_LENGTH}
            ref={focused}
            onChange={setName}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              save()
            }}
          />
          <Button size="small" onClick={save}>
            {t('save')}
          </Button>
        </div>
      )}
    </div>
  )
}
