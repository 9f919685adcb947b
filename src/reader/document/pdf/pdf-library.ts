/** The part of pdf.js that is used here. Its own types need the browser's type library. */

export type TextItem = {
  readonly str: string
  readonly dir: string
  readonly transform: readonly number[]
  readonly width: number
  readonly fontName: string
  readonly hasEOL: boolean
}
/** The begin or end of marked content, which the structure tree refers to by its id. */
export type Mark = { readonly type: string; readonly tag?: string; readonly id?: string }
export type TextContent = {
  readonly items: readonly (TextItem | Mark)[]
  readonly styles: Readonly<Record<string, { readonly fontFamily?: string } | undefined>>
}
export type StructureNode = {
  readonly role: string
  readonly alt?: string
  readonly children?: readonly (StructureNode | { readonly type: string; readonly id?: string })[]
}
export type Annotation = {
  readonly subtype?: string
  readonly fieldType?: string
  readonly fieldValue?: unknown
  readonly checkBox?: boolean
  readonly radioButton?: boolean
  /** The values that the field has when this box or button is chosen. */
  readonly exportValue?: string
  readonly buttonValue?: string
  readonly password?: boolean
  readonly hidden?: boolean
  readonly annotationFlags?: number
  readonly url?: string
  readonly rect?: readonly number[]
}
export type PdfPage = {
  /** How the page is turned when it is shown, in degrees. */
  readonly rotate: number
  getViewport(options: { scale: number; rotation?: number }): {
    readonly width: number
    readonly height: number
    readonly transform: readonly number[]
  }
  getTextContent(options: { includeMarkedContent: boolean }): Promise<TextContent>
  getStructTree(): Promise<StructureNode | null>
  getAnnotations(): Promise<readonly Annotation[]>
  getOperatorList(): Promise<{ readonly fnArray: readonly number[] }>
  cleanup(): boolean
}
export type OutlineItem = { readonly title: string; readonly items: readonly OutlineItem[] }
export type PdfFile = {
  readonly numPages: number
  getPage(number: number): Promise<PdfPage>
  getOutline(): Promise<readonly OutlineItem[] | null>
  getMetadata(): Promise<{ readonly info: Readonly<Record<string, unknown>> }>
}
export type PdfLibrary = {
  readonly OPS: Readonly<Record<string, number>>
  getDocument(options: Readonly<Record<string, unknown>>): { readonly promise: Promise<PdfFile> }
}

/** Loaded with the first PDF. */
const LIBRARY: string = 'unpdf/pdfjs'

export async function loadPdfLibrary(): Promise<PdfLibrary> {
  return (await import(LIBRARY)) as PdfLibrary
}
