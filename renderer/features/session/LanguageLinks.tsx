import { LANGUAGES } from '#shared/domain/settings.ts'
import { useTexts, i18next } from '../../i18n/index.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { updateSettings } from '../settings/index.ts'
import styles from './Onboarding.module.css'

/** The interface language, before settings are reachable. Each language is named in itself. */
export function LanguageLinks() {
  const names = useTexts('settings')
  const dispatch = useAppDispatch()
  return (
    <div className={styles['languages']} role="group" aria-label={names('language.language')}>
      <Icon name="globe" size={16} />
      {LANGUAGES.map((language) => (
        <button
          key={language}
          type="button"
          lang={language}
          aria-pressed={i18next.resolvedLanguage === language}
          onClick={() => void dispatch(updateSettings({ language }))}
        >
          {names(`language.names.${language}`)}
        </button>
      ))}
    </div>
  )
}
