#include "app/ui/initials.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace posiscope::ui {
namespace {

constexpr std::pair<char, std::string_view> kInitials[] = {
    {'a', "安按案爱"},
    {'b', "不便保倍八别办包北半变备布帮并彼必把报播暴本板柄标步比波版班白百笔编背般"
          "蔽补表被败辨辩边遍避部闭"},
    {'c', "串乘从传侧储充册冲出创初参叉场处存察寸尺层差常惩成才抽拆持插撤操擦朝查楚"
          "槽橙次此残测猜磁称程窗策纯草菜藏词超车采重错长除"},
    {'d', "丁丢代但低倒典到动单叠地多大定对导带底度当待得打抵挡掉搭断旦档段洞淡渡点"
          "独电的短端第等答荡读调跌达递逗道都钉队陡颠"},
    {'e', "二儿尔而"},
    {'f', "份伏傅分副反发否复夫幅放方法泛浮符繁罚翻范覆负赋返附非飞"},
    {'g', "个估供光公共关刚功各告固够官工干广归改更构果根格概滚狗盖稿管给观规该贡跟"
          "轨过隔高"},
    {'h', "乎互会何候函划化号合后含和回坏好弧很恒恢或换核横毫汇混滑灰环画红绘缓耗花"
          "行话还韩黑"},
    {'j', "举久交京仅今介件价假具兼决减几击剪加即卷及句均基境夹家将尖就尽局己建径截"
          "拒据捷接教既旧景机极架检渐激界矩积简箭精紧级经结绝继节见觉角解计记讲距较"
          "辑近进键镜间际降集静"},
    {'k', "刻卡口可块宽廓开快扩括控框看空课跨靠"},
    {'l', "两临了令例六列利力历另录律拉敛料来栏流漏率理留略离立类练络绿联落览论赖路"
          "轮连邻里量链零露"},
    {'m', "么们免名吗命幂幕慢描明末某模母每没满目码秒米门面马默"},
    {'n', "你内呢哪念拟拿纳能逆那难"},
    {'o', "偶"},
    {'p', "偏凭判匹屏平批抛拍拼排旁普漂片盘篇评谱跑配频"},
    {'q', "七且全其切前区千却去取启器圈奇嵌弃强恰情曲期权求浅清潜确穷缺群请起驱"},
    {'r', "人仍任入如容扰日热然若认让软锐"},
    {'s', "三上丝书事什似使删刷剩十升参双受史四声失始实室射少尚属式所手扫损搜收散数"
          "施时是束树水深溯熟率甚生省矢示稍竖筛算素索缩舍色虽衰视设识诉试说谁身输述"
          "适速释随顺首鼠"},
    {'t', "他体停台同听团图填太头套它态投拖探推提替条桶添特突统腾调谈贴跳退透通题"},
    {'w', "万为五位务午卧吻唯围外完尾弯往微忘我握文无晚未温物稳纹维网误问"},
    {'x', "下习些信修像先写向响型学寻小序弦形循心性息悉想效斜新旋显析消献现相系线细"
          "续虚行训许询谐象选销降限陷需项须"},
    {'y', "一与严义也于亿以优余依允元匀印压原又右叶咬因圆域宜已应延异引影忆意掩易映"
          "有样永沿源溢演用由眼移约缘英要言语越运远遇遗野阈隐页预颜验"},
    {'z', "中主之众住作值做再准则制助占只周噪在址坐增子字展左帧张征志怎总找择指振掌"
          "支整早暂最朝朱柱桌止正注照状直真着知祖种秩窄章粘紫纵组终缀置者自至致装证"
          "质资走足踪转轴载这追逐造遮遵重针钟长阵骤"},
};

std::size_t bytes_of(char lead) {
    const auto first = static_cast<unsigned char>(lead);
    return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

char lower(char letter) { return static_cast<char>(std::tolower(static_cast<unsigned char>(letter))); }

bool is_word(std::string_view character) {
    if (character.size() == 1) return std::isalnum(static_cast<unsigned char>(character[0])) != 0;
    for (const auto& [letter, characters] : kInitials)
        if (characters.find(character) != std::string_view::npos) return true;
    return false;
}

bool begins_with(std::string_view character, char letter) {
    if (character.size() == 1) return lower(character[0]) == letter;
    for (const auto& [initial, characters] : kInitials)
        if (initial == letter && characters.find(character) != std::string_view::npos) return true;
    return false;
}

// From the beginning of the text.
bool begin_with(std::string_view text, std::string_view typed) {
    while (!typed.empty()) {
        if (text.empty()) return false;
        const std::string_view character = text.substr(0, bytes_of(text.front()));
        text.remove_prefix(character.size());
        if (!is_word(character)) continue;
        if (!begins_with(character, lower(typed.front()))) return false;
        typed.remove_prefix(1);
    }
    return true;
}

}  // namespace

bool has_initials(std::string_view text, std::string_view typed) {
    for (; !text.empty(); text.remove_prefix(std::min(text.size(), bytes_of(text.front()))))
        if (is_word(text.substr(0, bytes_of(text.front()))) && begin_with(text, typed)) return true;
    return typed.empty();
}

}  // namespace posiscope::ui
