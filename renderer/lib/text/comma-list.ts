/** What is between the commas, each once and without spaces around it. */
export const itemsIn = (text: string): readonly string[] => {
  const items = text.split(',').map((item) => item.trim())
  return [...new Set(items)].filter((item) => item !== '')
}
