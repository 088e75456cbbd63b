//! Types of server-sent events in the OpenAPI document. No operation refers to them, so the registry of poem-openapi
//! would remove them.

use serde_json::{Value, json};

/// Adds the types to a document that has the stream of events.
pub(super) fn add(document: &mut Value) {
    if document["paths"].get("/api/events/").is_none() {
        return;
    }
    let schemas = &mut document["components"]["schemas"];
    schemas["LedgerEvent"] = json!({
        "type": "object",
        "description": "The data of the events `ledger` and `reset`.",
        "required": ["ledger", "newest"],
        "properties": {
            "ledger": {"type": "string", "nullable": true, "description": "Id of the ledger, as in the header `Gitglot-Ledger`."},
            "newest": {"type": "integer", "description": "Largest change id assigned so far."},
        },
    });
    schemas["Event"] = json!({
        "type": "object",
        "description": "A server-sent event: the values of its fields `id`, `event` and `data`.",
        "required": ["event", "data"],
        "properties": {
            "id": {
                "type": "string",
                "description": "Change id, colon, ledger id. Send the last one to resume the stream.",
                "example": "42:5f0c7d1e",
            },
            "event": {
                "type": "string",
                "description": "`change`: a new entry. `ledger`: the first event. `reset`: the client must discard its state and read everything again.",
                "enum": ["change", "ledger", "reset"],
            },
            "data": {
                "description": "One line of JSON: a `Change` for the event `change`, otherwise a `LedgerEvent`.",
                "oneOf": [
                    {"$ref": "#/components/schemas/Change"},
                    {"$ref": "#/components/schemas/LedgerEvent"},
                ],
            },
        },
    });
}
