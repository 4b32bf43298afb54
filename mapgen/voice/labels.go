package voice

import "strings"

// The fields of a reply.
const (
	purpose  = "PURPOSE"
	deps     = "DEPS"
	concepts = "CONCEPTS"
	role     = "ROLE"
	arch     = "ARCH"
)

// What is asked for; the first must be there.
var (
	fileFields = []string{purpose, deps, concepts}
	dirFields  = []string{role, arch}
)

func isList(field string) bool { return field == deps || field == concepts }

// names are what models call the fields, in small letters. Asked in English of a
// file whose comments are in another language, many answer in that.
var names = map[string]string{
	"purpose": purpose, "file purpose": purpose, "zweck": purpose, "aufgabe": purpose, "objectif": purpose, "but": purpose,
	"propósito": purpose, "proposito": purpose, "objetivo": purpose, "finalidade": purpose, "scopo": purpose, "finalità": purpose,
	"doel": purpose, "cel": purpose, "назначение": purpose, "цель": purpose, "目的": purpose, "用途": purpose, "功能": purpose,
	"作用": purpose, "목적": purpose, "amaç": purpose, "účel": purpose, "syfte": purpose,

	"deps": deps, "dep": deps, "dependencies": deps, "dependency": deps, "depends on": deps, "abhängigkeiten": deps,
	"dépendances": deps, "dependances": deps, "dependencias": deps, "dependências": deps, "dipendenze": deps,
	"afhankelijkheden": deps, "zależności": deps, "зависимости": deps, "依赖": deps, "依赖项": deps, "依赖关系": deps,
	"依存": deps, "依存関係": deps, "의존성": deps, "bağımlılıklar": deps, "závislosti": deps, "beroenden": deps,

	"concepts": concepts, "key concepts": concepts, "key_concepts": concepts, "konzepte": concepts, "schlüsselkonzepte": concepts,
	"wichtige konzepte": concepts, "begriffe": concepts, "concepts clés": concepts, "concepts-clés": concepts, "conceptos": concepts,
	"conceptos clave": concepts, "conceitos": concepts, "conceitos-chave": concepts, "concetti": concepts, "concetti chiave": concepts,
	"concepten": concepts, "pojęcia": concepts, "концепции": concepts, "понятия": concepts, "ключевые понятия": concepts,
	"ключевые концепции": concepts, "概念": concepts, "关键概念": concepts, "核心概念": concepts, "キー概念": concepts, "主要概念": concepts,
	"개념": concepts, "주요 개념": concepts, "kavramlar": concepts,

	"role": role, "rolle": role, "rôle": role, "rol": role, "papel": role, "ruolo": role, "роль": role, "角色": role, "役割": role, "역할": role,

	"arch": arch, "architecture": arch, "architektur": arch, "arquitectura": arch, "arquitetura": arch, "architettura": arch,
	"architectuur": arch, "архитектура": arch, "架构": arch, "アーキテクチャ": arch, "構造": arch, "아키텍처": arch, "mimari": arch,
}

// longestName bounds what may be a name, in bytes.
const longestName = 48

// none are the ways to say that a list is empty.
var none = map[string]bool{
	"": true, "-": true, "none": true, "n/a": true, "na": true, "nil": true, "null": true, "nothing": true, "no dependencies": true,
	"not applicable": true, "unknown": true, "keine": true, "aucun": true, "aucune": true, "ninguna": true, "ninguno": true,
	"nenhuma": true, "nenhum": true, "nessuna": true, "nessuno": true, "geen": true, "brak": true, "нет": true,
	"无": true, "没有": true, "なし": true, "없음": true, "yok": true,
}

func isNone(text string) bool {
	return none[strings.ToLower(strings.Trim(text, " \t.()[]{}<>*_`\"'–—-。"))]
}
