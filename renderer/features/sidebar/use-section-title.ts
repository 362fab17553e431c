import type { SectionName } from '#shared/domain/sidebar.ts'
import { folderSection } from '#shared/rules/channels/sidebar.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppSelector } from '../../store/hooks.ts'
import { isFolder, selectPlan } from './selectors.ts'

/** Title of a section; custom sections by their name. */
export function useSectionTitles(): (name: SectionName) => string {
  const t = useTexts('sidebar')
  const { folders } = useAppSelector(selectPlan)
  return (name) => {
    if (isFolder(name)) return folders.find(({ id }) => folderSection(id) === name)?.name ?? ''
    return t(`sections.${name}`)
  }
}
